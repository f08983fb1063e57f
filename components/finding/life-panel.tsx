import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { Panel } from '@/components/ui/panel'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { changePath } from '@/lib/util/paths'

const KINDS: Readonly<Record<string, string>> = {
  opened: 'Opened',
  closed: 'Resolved',
  reopened: 'Reopened',
  acknowledged: 'Acknowledged',
  'acknowledgement-ended': 'Acknowledgement ended',
}

/** Reading rounds open and resolve; people acknowledge. */
const actorWords = (actor: string): string => (actor === 'system' ? 'Sliceboard' : actor)

/** The events of a finding, the newest first. */
export const LifePanel = ({ events, cloud }: { events: FindingDetail['events']; cloud: string | null }) => (
  <Panel title="History">
    {events.length === 0 ? (
      <p className="text-ink2">No events.</p>
    ) : (
      <ol className="flex flex-col gap-2.5">
        {events
          .map((event, place) => ({ ...event, place }))
          .toReversed()
          .map(({ at, kind, actor, note, changeId, place }) => (
            <li key={place} className="border-line border-l-2 pl-2.5">
              <p>
                {KINDS[kind] ?? kind.replaceAll('-', ' ')}
                <span className="text-ink2">
                  {' by '}
                  {changeId === null ? (
                    actorWords(actor)
                  ) : (
                    <Link
                      href={changePath({ cloud, id: changeId })}
                      className="text-accent-ink hover:underline"
                    >
                      change {changeId}
                    </Link>
                  )}
                </span>
              </p>
              <p className="text-ink3 text-small">
                <Moment at={at} />
              </p>
              {note === null || note === '' ? null : (
                <p className="mt-0.5 whitespace-pre-line break-words">“{note}”</p>
              )}
            </li>
          ))}
      </ol>
    )}
  </Panel>
)
