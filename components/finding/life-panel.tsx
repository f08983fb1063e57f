import { Moment } from '@/components/shell/moment'
import { Panel } from '@/components/ui/panel'
import type { FindingDetail } from '@/lib/schemas/api/finding'

const KINDS: Readonly<Record<string, string>> = {
  opened: 'Opened',
  closed: 'Closed: no longer found',
  reopened: 'Came back',
  acknowledged: 'Acknowledged',
  'acknowledgement-ended': 'Acknowledgement ended',
}

/** The rounds open and close; people acknowledge. */
const actorWords = (actor: string): string => (actor === 'system' ? 'the console' : actor)

/** What happened to a finding, the newest first. */
export const LifePanel = ({ events }: { events: FindingDetail['events'] }) => (
  <Panel title="Life">
    {events.length === 0 ? (
      <p className="text-ink2">Nothing is recorded.</p>
    ) : (
      <ol className="flex flex-col gap-2.5">
        {events
          .map((event, place) => ({ ...event, place }))
          .toReversed()
          .map(({ at, kind, actor, note, place }) => (
            <li key={place} className="border-line border-l-2 pl-2.5">
              <p>
                {KINDS[kind] ?? kind.replaceAll('-', ' ')}
                <span className="text-ink2"> by {actorWords(actor)}</span>
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
