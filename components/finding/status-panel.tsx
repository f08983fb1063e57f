import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import { actorLabel } from '@/lib/domain/wording'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { asSentence, STATE_LABELS } from './finding-labels'
import { SourceTag } from './source-tag'

const TONES: Record<FindingDetail['state'], 'accent' | 'warn' | 'quiet'> = {
  open: 'warn',
  acknowledged: 'accent',
  muted: 'accent',
  closed: 'quiet',
}

const Acknowledgement = ({
  label,
  acknowledgement,
}: Pick<FindingDetail, 'acknowledgement'> & { label: string }) =>
  acknowledgement === null ? null : (
    <KeyValue label={label}>
      by {actorLabel(acknowledgement.by)}, <Moment at={acknowledgement.at} />
      <p className="text-ink2">
        {acknowledgement.until === null ? (
          'No end date'
        ) : (
          <>
            Open again <Moment at={acknowledgement.until} form="future" />
          </>
        )}
      </p>
      <p className="mt-0.5 whitespace-pre-line break-words">“{acknowledgement.note}”</p>
    </KeyValue>
  )

/** The state of a finding. */
export const StatusPanel = ({ finding }: { finding: FindingDetail }) => (
  <Panel title="State">
    <KeyValues>
      <KeyValue label="State">
        <Tag tone={TONES[finding.state]}>{STATE_LABELS[finding.state].toLowerCase()}</Tag>
      </KeyValue>
      {finding.unverifiedReason === null ? null : (
        <KeyValue label="Not verified">
          <TimedText text={asSentence(finding.unverifiedReason)} />. Until then the state does not change.
        </KeyValue>
      )}
      <KeyValue label="Source to correct">
        {finding.sourceToCorrect === null ? 'None (risk)' : <SourceTag source={finding.sourceToCorrect} />}
      </KeyValue>
      <KeyValue label="Opened">
        <Moment at={finding.openedAt} />
      </KeyValue>
      {finding.closedAt === null ? null : (
        <KeyValue label="Resolved">
          <Moment at={finding.closedAt} />
        </KeyValue>
      )}
      {finding.reopenedCount === 0 ? null : (
        <KeyValue label="Reopened">
          {finding.reopenedCount === 1 ? 'once' : `${finding.reopenedCount} times`}
        </KeyValue>
      )}
      <Acknowledgement label="Acknowledged" acknowledgement={finding.acknowledgement} />
      <Acknowledgement label="Kind muted" acknowledgement={finding.mute} />
    </KeyValues>
  </Panel>
)
