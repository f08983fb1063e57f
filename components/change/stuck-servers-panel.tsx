import { cutMiddle } from '@/components/ui/cut-middle'
import { useMoreRows } from '@/components/ui/more-rows'
import { OmittedNote } from '@/components/ui/omitted-note'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { TypeChangePreview } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'

type Change = Pick<TypeChangePreview, 'servers' | 'totals'>
type Stuck = Change['servers'][number]

/** Servers drawn at first, and with each press more. */
const PAGE = 15

const WAYS: Readonly<Record<Stuck['way'], { word: string; tone: 'quiet' | 'accent' | 'warn' }>> = {
  live: { word: 'live migration', tone: 'accent' },
  cold: { word: 'cold migration', tone: 'warn' },
  owner: { word: 'needs the owner', tone: 'warn' },
}

const MAX_NAMED = 3

const whereTo = ({ to }: Stuck): string =>
  to.length === 0
    ? '–'
    : `${to.slice(0, MAX_NAMED).join(', ')}${to.length > MAX_NAMED ? ` and ${to.length - MAX_NAMED} more` : ''}`

const ServerRow = ({ server }: { server: Stuck }) => {
  const { word, tone } = WAYS[server.way]
  return (
    <Tr>
      <Td className="min-w-36">
        <span className="font-[550]">{server.name}</span>
        <span className="block whitespace-nowrap font-mono text-ink3 text-tiny" title={server.serverUuid}>
          {cutMiddle(server.serverUuid, 18)}
        </span>
      </Td>
      <Td>
        {server.projectName}
        <span className="block text-ink2 text-small wrap-anywhere">{server.flavorName ?? '–'}</span>
      </Td>
      <Td className="whitespace-nowrap text-ink2">{server.status}</Td>
      <Td className="whitespace-nowrap">
        {server.host}
        <span className="block font-mono text-ink2 text-small">{server.address}</span>
      </Td>
      <Td className="min-w-44">
        <Tag tone={tone}>{word}</Tag>
        {server.because === null ? null : (
          <span className="mt-0.5 block text-ink2 text-small wrap-anywhere">{server.because}</span>
        )}
      </Td>
      <Td className="min-w-28 text-ink2">{whereTo(server)}</Td>
    </Tr>
  )
}

type Counts = Readonly<Record<Stuck['way'], number>>

const countsOf = ({ servers, totals }: Change): Counts => {
  const by = (way: Stuck['way']): number => servers.filter((server) => server.way === way).length
  return totals?.servers ?? { live: by('live'), cold: by('cold'), owner: by('owner') }
}

const sumText = (counts: Counts): string =>
  (['live', 'cold', 'owner'] as const)
    .map((way) => ({ way, count: counts[way] }))
    .filter(({ count }) => count > 0)
    .map(({ way, count }) => `${count} ${WAYS[way].word}`)
    .join(', ')

/** Servers that hold a vGPU of the old type: whose they are, how they leave and where to. */
export const StuckServersPanel = ({ change }: { change: Change }) => {
  const { servers } = change
  const counts = countsOf(change)
  const count = counts.live + counts.cold + counts.owner
  const { first, more } = useMoreRows(servers, PAGE)
  return (
    <Panel
      title="Servers to migrate"
      note={count === 0 ? undefined : `${formatNoun(count, 'server')}: ${sumText(counts)}`}
    >
      {servers.length === 0 ? (
        <p className="text-ink2">No server uses a vGPU there now.</p>
      ) : (
        <SideScroll className="-mb-3">
          <Table>
            <thead>
              <tr>
                <Th>Server</Th>
                <Th>Project, flavor</Th>
                <Th>State</Th>
                <Th>Uses</Th>
                <Th>Migration</Th>
                <Th>Target</Th>
              </tr>
            </thead>
            <tbody>
              {first.map((server) => (
                <ServerRow key={`${server.serverUuid} ${server.address}`} server={server} />
              ))}
            </tbody>
          </Table>
        </SideScroll>
      )}
      {more}
      <OmittedNote listed={servers.length} count={count} />
    </Panel>
  )
}
