import Link from 'next/link'
import { dayOf } from '@/components/capacity/capacity-words'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { IdleVgpu } from '@/lib/schemas/api/utilisation'
import { formatAge, formatMib, formatPercent } from '@/lib/util/format'
import { capacityPath, gpuPath, hostPath, typePath } from '@/lib/util/paths'

const FEW = 20
const LINK = 'text-accent-ink hover:underline'

const MOST_HOSTS = 3

/** `before on cmp-1, cmp-2`; null: it was seen nowhere else since it is idle. */
const beforeWords = ({ hosts }: IdleVgpu): string | null => {
  const before = hosts.slice(0, -1)
  if (before.length === 0) return null
  const more = before.length > MOST_HOSTS ? ` and ${before.length - MOST_HOSTS} more` : ''
  return `before on ${before.slice(-MOST_HOSTS).join(', ')}${more}`
}

const Row = ({ vgpu, cloud, asOf }: { vgpu: IdleVgpu; cloud: string | null; asOf: string }) => {
  const { host, address, project, projectId, usedMib, since, seenShare } = vgpu
  const name = project ?? projectId
  const before = beforeWords(vgpu)
  const idleFor = formatAge((Date.parse(asOf) - Date.parse(since)) / 1000)
  return (
    <Tr>
      <Td className="whitespace-nowrap" title={`no sample above it since ${since}`}>
        {idleFor} <span className="block text-ink2 text-small">since {dayOf(since)}</span>
      </Td>
      <Td className="min-w-28 break-words">
        <Link href={hostPath({ cloud, host })} className={LINK} title={vgpu.guest}>
          {vgpu.server}
        </Link>
        {vgpu.flavor === null ? null : <span className="block text-ink2 text-small">{vgpu.flavor}</span>}
      </Td>
      <Td className="wrap-anywhere">
        {name === null || projectId === null ? (
          <Unknown reason="the server does not say" />
        ) : (
          <Link href={capacityPath({ cloud, search: { by: 'project', key: projectId } })} className={LINK}>
            {name}
          </Link>
        )}
        {vgpu.user === null ? null : <span className="block text-ink2 text-small">{vgpu.user}</span>}
      </Td>
      <Td className="whitespace-nowrap">
        <Link href={typePath({ cloud, type: vgpu.typeId })} className={LINK}>
          {vgpu.type}
        </Link>
      </Td>
      <Td className="whitespace-nowrap">
        <Link href={gpuPath({ cloud, host, address })} className={LINK}>
          {host} <span className="font-mono text-small">{address}</span>
        </Link>
        {before === null ? null : (
          <span
            className="block text-ink2 text-small"
            title={`idle on all of these since then: ${vgpu.hosts.join(', ')}`}
          >
            {before}
          </span>
        )}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {usedMib === null ? <Unknown reason="nobody measured it" /> : formatMib(usedMib)}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {formatPercent(seenShare, 1)}
      </Td>
    </Tr>
  )
}

/** The idle vGPUs, those that are idle longest first. */
export const IdleTable = ({
  idle,
  cloud,
  asOf,
}: {
  idle: readonly IdleVgpu[]
  cloud: string | null
  asOf: string
}) => {
  const { first, more } = useMoreRows(idle, FEW)
  return (
    <>
      <SideScroll>
        <Table aria-label="Idle vGPUs">
          <thead>
            <tr>
              <Th>Idle for</Th>
              <Th>Server</Th>
              <Th>Project and user</Th>
              <Th>Type</Th>
              <Th>pGPU</Th>
              <Th isNumber>Framebuffer used</Th>
              <Th isNumber title="Part of the time since then with samples">
                Seen
              </Th>
            </tr>
          </thead>
          <tbody>
            {first.map((vgpu) => (
              <Row
                key={`${vgpu.host} ${vgpu.address} ${vgpu.vgpu} ${vgpu.guest}`}
                vgpu={vgpu}
                cloud={cloud}
                asOf={asOf}
              />
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
    </>
  )
}
