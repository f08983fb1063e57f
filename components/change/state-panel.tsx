import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import { actionWords } from '@/lib/domain/plans/change-states'
import { actorWords } from '@/lib/domain/wording'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { CHANGE_STATE_TAGS } from './change-words'

/** How far a change is, and who planned, ran and last decided. */
export const StatePanel = ({ change }: { change: ChangeDetail }) => {
  const { word, tone } = CHANGE_STATE_TAGS[change.state]
  return (
    <Panel title="State">
      <KeyValues>
        <KeyValue label="State">
          <Tag tone={tone}>{word}</Tag> {change.isByHand ? 'by hand, the console watches' : null}
          {change.stopReason === null ? null : (
            <p className="mt-1 text-warn wrap-anywhere">
              <TimedText text={change.stopReason} isWhole />
            </p>
          )}
        </KeyValue>
        <KeyValue label="Planned">
          by {actorWords(change.madeBy)}, <Moment at={change.madeAt} />
        </KeyValue>
        {change.runBy === null ? null : (
          <KeyValue label="Runs as">
            {actorWords(change.runBy)}
            {change.startedAt === null ? null : (
              <>
                , started <Moment at={change.startedAt} />
              </>
            )}
          </KeyValue>
        )}
        <KeyValue label="Last action">
          “{actionWords(change.lastAction)}” by {actorWords(change.lastBy)}, <Moment at={change.lastAt} />
        </KeyValue>
        {change.endedAt === null ? null : (
          <KeyValue label="Ended">
            <Moment at={change.endedAt} />
          </KeyValue>
        )}
      </KeyValues>
    </Panel>
  )
}
