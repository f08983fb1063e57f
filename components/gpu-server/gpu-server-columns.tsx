import Link from 'next/link'
import type { ReactNode } from 'react'
import { guestStateLabel } from '@/components/gpu/guest-state'
import { Moment } from '@/components/shell/moment'
import { SilentTag } from '@/components/shell/silent-tag'
import type { Column } from '@/components/table/column'
import { Unknown } from '@/components/ui/key-values'
import { Tag } from '@/components/ui/tag'
import type { GpuServer, GpuServerSort, HeldGpu } from '@/lib/schemas/api/gpu-server'
import { gpuPath, hostPath } from '@/lib/util/paths'
import { utcText } from '@/lib/util/utc-text'

type Context = {
  cloud: string | null
  /** Why Nova’s values are unknown; null: Nova was read. */
  novaReason: string | null
}

const LINK = 'hover:text-accent-ink hover:underline'

const Status = ({ server: { status, guestState }, reason }: { server: GpuServer; reason: string | null }) => (
  <>
    {status === null ? (
      <Unknown reason={reason ?? 'Nova has no server with this uuid'} />
    ) : (
      <Tag tone={status === 'ERROR' ? 'bad' : 'quiet'}>{status}</Tag>
    )}
    {status === null && guestState !== null ? (
      <span className="ml-1.5 text-ink2 text-small">guest {guestStateLabel(guestState)}</span>
    ) : null}
  </>
)

const HostName = ({ server, cloud }: { server: GpuServer; cloud: string | null }) => {
  const { host, hostState, seenAt } = server
  if (host === null) return <Unknown reason="no host reports it" />
  if (hostState === 'absent')
    return (
      <>
        {host} <Tag>no agent</Tag>
      </>
    )
  return (
    <>
      <Link href={hostPath({ cloud, host })} prefetch={false} className={LINK}>
        {host}
      </Link>{' '}
      {hostState === 'silent' ? <SilentTag seenAt={seenAt} /> : null}
    </>
  )
}

const GpuAddress = ({ server, gpu, cloud }: { server: GpuServer; gpu: HeldGpu; cloud: string | null }) => {
  const { host, hostState, unknownReason } = server
  const { address } = gpu
  if (address === null) return <Unknown reason={unknownReason} />
  if (host === null || hostState === 'absent') return address
  return (
    <Link href={gpuPath({ cloud, host, address })} prefetch={false} className={LINK}>
      {address}
    </Link>
  )
}

const typeText = ({ typeName, kind }: HeldGpu): string | null =>
  typeName ?? (kind === 'passthrough' ? 'passthrough' : null)

/** One line for each vGPU or GPU, so that the cells of a row agree. */
const GpuLines = ({ server, draw }: { server: GpuServer; draw: (gpu: HeldGpu) => ReactNode }) => (
  <ul>
    {server.gpus.map((gpu, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: Placement alone names no device, and the order is fixed
      <li key={at}>{draw(gpu)}</li>
    ))}
  </ul>
)

const joined = ({ gpus }: GpuServer, read: (gpu: HeldGpu) => string | null): string | null => {
  const values = gpus.map((gpu) => read(gpu) ?? '')
  return values.every((value) => value === '') ? null : values.join(';')
}

/** Servers with a GPU. On a narrow screen the name has project, flavor and status below it. */
export const GPU_SERVER_COLUMNS: readonly Column<GpuServer, Context, GpuServerSort>[] = [
  { id: 'uuid', csv: ({ uuid }) => uuid },
  {
    id: 'server',
    header: 'Server',
    sort: 'name',
    isRising: true,
    isFixed: true,
    className: 'min-w-36',
    hint: ({ uuid }) => uuid,
    cell: (server, { novaReason }) => (
      <>
        <span className="font-[550] wrap-anywhere">{server.name}</span>
        <div className="text-ink2 text-small md:hidden">
          <p className="wrap-anywhere">
            {[server.projectName, server.flavorName].filter((text) => text !== null).join(', ')}
          </p>
          <Status server={server} reason={novaReason} />
        </div>
      </>
    ),
    csv: ({ name }) => name,
  },
  {
    id: 'status',
    header: 'Status',
    sort: 'status',
    isRising: true,
    phone: 'hidden',
    className: 'whitespace-nowrap',
    cell: (server, { novaReason }) => <Status server={server} reason={novaReason} />,
    csv: ({ status }) => status,
  },
  { id: 'guest_state', csv: ({ guestState }) => guestState },
  {
    id: 'project',
    header: 'Project',
    sort: 'project',
    isRising: true,
    phone: 'hidden',
    className: 'wrap-anywhere',
    cell: ({ projectName, projectId }) => projectName ?? projectId ?? <Unknown reason="not reported" />,
    csv: ({ projectName }) => projectName,
  },
  { id: 'project_id', csv: ({ projectId }) => projectId },
  {
    id: 'flavor',
    header: 'Flavor',
    sort: 'flavor',
    isRising: true,
    phone: 'hidden',
    className: 'wrap-anywhere',
    cell: ({ flavorName }) => flavorName ?? <Unknown reason="not reported" />,
    csv: ({ flavorName }) => flavorName,
  },
  {
    id: 'host',
    header: 'Host',
    sort: 'host',
    isRising: true,
    className: 'wrap-anywhere',
    cell: (server, { cloud }) => <HostName server={server} cloud={cloud} />,
    csv: ({ host }) => host,
  },
  { id: 'host_state', csv: ({ hostState }) => hostState },
  {
    id: 'gpus',
    header: 'GPU',
    className: 'font-mono text-small md:whitespace-nowrap',
    cell: (server, { cloud }) => (
      <GpuLines server={server} draw={(gpu) => <GpuAddress server={server} gpu={gpu} cloud={cloud} />} />
    ),
    csv: (server) => joined(server, ({ address }) => address),
  },
  {
    id: 'types',
    header: 'vGPU type',
    sort: 'type',
    isRising: true,
    className: 'md:whitespace-nowrap',
    cell: (server) => (
      <GpuLines
        server={server}
        draw={(gpu) => typeText(gpu) ?? <Unknown reason={server.unknownReason ?? 'not reported'} />}
      />
    ),
    csv: (server) => joined(server, typeText),
  },
  {
    id: 'devices',
    header: 'mdev or PCI address',
    phone: 'hidden',
    className: 'font-mono text-small wrap-anywhere',
    cell: (server) => (
      <GpuLines
        server={server}
        draw={({ device }) => device ?? <Unknown reason={server.unknownReason ?? 'not reported'} />}
      />
    ),
    csv: (server) => joined(server, ({ device }) => device),
  },
  {
    id: 'unknown_reason',
    csv: ({ unknownReason }) => unknownReason,
  },
  {
    id: 'created_at',
    header: 'Created',
    sort: 'created',
    isRising: true,
    phone: 'hidden',
    className: 'whitespace-nowrap text-ink2 text-small',
    cell: ({ createdAt }, { novaReason }) =>
      createdAt === null ? <Unknown reason={novaReason ?? 'not reported'} /> : <Moment at={createdAt} />,
    csv: ({ createdAt }) => utcText(createdAt),
  },
]
