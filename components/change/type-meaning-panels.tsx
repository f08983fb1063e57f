import { useMoreRows } from '@/components/ui/more-rows'
import { OmittedNote } from '@/components/ui/omitted-note'
import { Panel } from '@/components/ui/panel'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { TypeChangePreview } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'

/** Rows drawn at first, and with each press more. */
const PAGE = 20

const Difference = ({ before, after }: { before: number; after: number }) => (
  <>
    <Td isNumber className="text-ink2">
      {before}
    </Td>
    <Td isNumber className={after === 0 ? 'font-semibold text-warn' : 'font-semibold'}>
      {after}
    </Td>
  </>
)

const BeforeAfterTable = ({
  what,
  rows,
}: {
  what: string
  rows: readonly { key: string; name: string; note?: string | null; before: number; after: number }[]
}) => {
  const { first, more } = useMoreRows(rows, PAGE)
  return (
    <>
      <Table>
        <thead>
          <tr>
            <Th className="pl-0">{what}</Th>
            <Th isNumber>Before</Th>
            <Th isNumber className="pr-0">
              After
            </Th>
          </tr>
        </thead>
        <tbody>
          {first.map(({ key, name, note = null, before, after }) => (
            <Tr key={key}>
              <Td className="pl-0">
                <span className="wrap-anywhere">{name}</span>
                {note === null ? null : <span className="block text-ink3 text-small">{note}</span>}
              </Td>
              <Difference before={before} after={after} />
            </Tr>
          ))}
        </tbody>
      </Table>
      {more}
    </>
  )
}

const flavorNote = (after: number): string | null => (after === 0 ? 'matches no host anymore' : null)

const limitNote = (limit: number | null): string =>
  limit === null ? 'no registered limit' : `default limit of a project: ${limit}`

const Closing = ({ hosts, count }: Pick<TypeChangePreview, 'hosts'> & { count: number }) => {
  const { first, more } = useMoreRows(hosts, PAGE)
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {first.map(({ host, closedToo, isDisabledBefore }) => (
          <li key={host}>
            <b className="font-semibold">{host}</b>{' '}
            {isDisabledBefore
              ? 'is already disabled and stays disabled'
              : 'gets no new servers until the end'}
            {closedToo.length === 0
              ? '.'
              : `, ${formatNoun(closedToo.length, 'other pGPU')} included: nova-compute reads nova.conf at startup and manages the whole host. Running servers are unaffected.`}
          </li>
        ))}
      </ul>
      {more}
      <OmittedNote listed={hosts.length} count={count} />
    </>
  )
}

const traitLines = ({ hosts }: TypeChangePreview): string[] => {
  const lines = hosts.flatMap(({ traits }) =>
    traits.map(({ off, on, foreign }) =>
      [
        off.length === 0 ? '' : `Removed: ${off.join(', ')}`,
        on.length === 0 ? '' : `Added: ${on.join(', ')}`,
        foreign.length === 0 ? '' : `Kept: ${foreign.join(', ')}`,
      ]
        .filter((text) => text !== '')
        .join(', '),
    ),
  )
  return [...new Set(lines)]
}

/** The effects of a type change: capacity, flavors, disabled hosts, traits and quotas. */
export const TypeMeaningPanels = ({ change }: { change: TypeChangePreview }) => {
  const { capacities, flavors, limits, hosts } = change
  const hostCount = change.totals?.hosts ?? hosts.length
  const traits = traitLines(change)
  return (
    <>
      <Panel title="Capacity" note="vGPUs in the cloud">
        <BeforeAfterTable
          what="Type"
          rows={capacities.map(({ typeId, typeName, ...sum }) => ({ key: typeId, name: typeName, ...sum }))}
        />
      </Panel>
      <Panel title="Flavors" note="matching hosts">
        {flavors.length === 0 ? (
          <p className="text-ink2">No flavor gains or loses a host.</p>
        ) : (
          <BeforeAfterTable
            what="Flavor"
            rows={flavors.map(({ flavorId, name, before, after }) => ({
              key: flavorId,
              name,
              note: flavorNote(after),
              before,
              after,
            }))}
          />
        )}
      </Panel>
      <Panel title="Scheduling disabled" note={formatNoun(hostCount, 'host')}>
        <Closing hosts={hosts} count={hostCount} />
      </Panel>
      <Panel title="Traits and quotas">
        <ul className="flex flex-col gap-1.5">
          {traits.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}.
            </li>
          ))}
          {traits.length === 0 ? <li className="text-ink2">The pGPUs carry no custom traits.</li> : null}
        </ul>
        {limits.length === 0 ? (
          <p className="mt-1.5 text-ink2">No resource with a quota changes its capacity.</p>
        ) : (
          <BeforeAfterTable
            what="Resource"
            rows={limits.map(({ resourceName, limit, before, after }) => ({
              key: resourceName,
              name: resourceName,
              note: limitNote(limit),
              before,
              after,
            }))}
          />
        )}
      </Panel>
    </>
  )
}
