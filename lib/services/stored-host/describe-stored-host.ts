import 'server-only'
import { describeHost } from '@/lib/domain/host/describe-host'
import type { HostDescription } from '@/lib/domain/host/types'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { fillTypes } from '@/lib/domain/pgpu/fill-types'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadNovaRange } from '@/lib/services/cloud/nova-range'
import {
  loadStoredInventories,
  readStoredInventory,
  type StoredInventory,
} from '@/lib/services/report/read-stored-inventory'
import { findHost, type HostRow } from './find-host'

export type StoredHost = { row: HostRow; inventory: Inventory; description: HostDescription }

type Described = { key: string; inventory: Inventory; description: HostDescription }

/** The most recently requested hosts, so that polling one page loads and describes a report once. */
const MAX_CACHED = 32
const cached = new WeakMap<Database, Map<number, Described>>()

const remember = (database: Database, hostId: number, described: Described): void => {
  const ofDatabase = cached.get(database) ?? new Map<number, Described>()
  cached.set(database, ofDatabase)
  ofDatabase.delete(hostId)
  ofDatabase.set(hostId, described)
  for (const oldest of ofDatabase.keys()) {
    if (ofDatabase.size <= MAX_CACHED) break
    ofDatabase.delete(oldest)
  }
}

const readInventory = async (stored: StoredInventory, hostName: string): Promise<Inventory> => {
  try {
    return await readStoredInventory(stored)
  } catch (cause) {
    throw new ServiceError(
      'internal',
      `The stored report of host "${hostName}" has a form that this console does not know. Restart its agent to send a new one.`,
      { cause },
    )
  }
}

const notReported = (hostName: string): ServiceError =>
  new ServiceError(
    'not_found',
    `Host "${hostName}" is enrolled but has not reported yet. Check that its agent runs: systemctl status sliceboard-agent.`,
    { field: 'host' },
  )

const versionOf = (row: HostRow, range: NovaRange | null): string =>
  `${row.changedXid} ${row.digest} ${range?.min} ${range?.max}`

/** Vendor VFIO reports little of a type, and on a full card not even its name: other hosts may have reported the rest. */
const fillFromStore = async (ctx: ServiceContext, description: HostDescription): Promise<HostDescription> => {
  const typeIds = description.pgpus.flatMap((pgpu) =>
    pgpu.framework === 'vendor-vfio' ? (pgpu.supportedTypes ?? []).map((type) => type.typeId) : [],
  )
  if (typeIds.length === 0) return description
  const rows = await ctx.database.prisma.vgpuType.findMany({
    where: { typeId: { in: [...new Set(typeIds)] }, name: { not: null } },
    orderBy: { id: 'asc' },
  })
  const stored = rows.map(readTypeFacts)
  return { ...description, pgpus: description.pgpus.map((pgpu) => fillTypes(pgpu, stored)) }
}

/** A type without a name may get one from the next report of another host. */
const areAllNamed = ({ pgpus }: HostDescription): boolean =>
  pgpus.every(
    ({ framework, supportedTypes }) =>
      framework !== 'vendor-vfio' ||
      supportedTypes === null ||
      supportedTypes.every((type) => type.shortName !== type.typeId),
  )

/** A host with its last report, parsed and described. For services that have checked the caller's permission. */
export const describeStoredHost = async (
  ctx: ServiceContext,
  { cloud, host }: { cloud: Cloud; host: string },
): Promise<StoredHost> => {
  const row = await findHost(ctx, { cloud, host })
  if (row.reportedAt === null) throw notReported(row.name)
  const range = await loadNovaRange(ctx.database, cloud.id)
  const key = versionOf(row, range)
  const known = cached.get(ctx.database)?.get(row.id)
  if (known?.key === key) return { row, ...known }
  const [stored] = await loadStoredInventories(ctx.database.query, [row.id])
  if (stored === undefined) throw notReported(row.name)
  const inventory = await readInventory(stored, row.name)
  const description = await fillFromStore(ctx, describeHost(inventory, { range }))
  const described = { key, inventory, description }
  if (areAllNamed(description)) remember(ctx.database, row.id, described)
  return { row, ...described }
}
