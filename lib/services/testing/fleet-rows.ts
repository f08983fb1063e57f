import type { Database, Query } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'

/** A pGPU row as the ingest writes it; what a test does not care about has a plain value. */
export type PgpuRow = {
  address: string
  model?: string
  framework?: string
  numaNode?: number | null
  framebufferMib?: number | null
  typeId?: number | null
  typeSetId?: number | null
  capacity?: number | null
  used?: number | null
  spare?: number | null
  orphan?: number | null
  returning?: number | null
  creatable?: number | null
  finding?: { code: string; severity: string; sentence: string } | null
  unknownReason?: string | null
}

export type HostRows = {
  cloudId: number
  name: string
  pgpus: PgpuRow[]
  seenAt?: Date | null
  problemCount?: number
  guestCount?: number | null
}

export const addCloud = async (database: Database, name: string): Promise<number> => {
  const { id } = await database.prisma.cloud.create({ data: { name }, select: { id: true } })
  return id
}

const UPSERT_HOST = `
INSERT INTO host (cloud_id, name, seen_at, reported_at, problem_count, guest_count, gpu_count, changed_xid)
VALUES ($1, $2, $3, $3, $4, $5, $6, pg_current_xact_id()::text::bigint)
ON CONFLICT (cloud_id, name) DO UPDATE SET seen_at = excluded.seen_at, reported_at = excluded.reported_at,
  problem_count = excluded.problem_count, guest_count = excluded.guest_count, gpu_count = excluded.gpu_count,
  changed_xid = excluded.changed_xid
RETURNING id`

const INSERT_PGPU = `
INSERT INTO pgpu (host_id, address, model, framework, numa_node, framebuffer_mib, type_id, type_set_id,
  capacity, used, spare, orphan, "returning", creatable, finding_code, finding_severity, finding, unknown_reason)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`

const pgpuParams = (hostId: number, row: PgpuRow): unknown[] => [
  hostId,
  row.address,
  row.model ?? 'NVIDIA A40',
  row.framework ?? 'mdev-sriov',
  row.numaNode ?? null,
  row.framebufferMib ?? null,
  row.typeId ?? null,
  row.typeSetId ?? null,
  row.capacity ?? null,
  row.used ?? null,
  row.spare ?? null,
  row.orphan ?? null,
  row.returning ?? null,
  row.creatable ?? null,
  row.finding?.code ?? null,
  row.finding?.severity ?? null,
  row.finding?.sentence ?? null,
  row.unknownReason ?? null,
]

/** Replaces a host's rows inside the caller's transaction, marking them as the ingest does. */
export const writeHostRows = async (query: Query, host: HostRows): Promise<number> => {
  const seenAt = host.seenAt === undefined ? new Date() : host.seenAt
  const params = [
    host.cloudId,
    host.name,
    seenAt,
    host.problemCount ?? 0,
    host.guestCount ?? null,
    host.pgpus.length,
  ]
  const [row] = await query(UPSERT_HOST, params, anyRow<{ id: number }>())
  if (row === undefined) throw new Error('the host was not written')
  await query('DELETE FROM pgpu WHERE host_id = $1', [row.id])
  for (const pgpu of host.pgpus) await query(INSERT_PGPU, pgpuParams(row.id, pgpu))
  return row.id
}

export const writeHost = (database: Database, host: HostRows): Promise<number> =>
  database.transaction(({ query }) => writeHostRows(query, host))

/** A vGPU type in NVIDIA's wording and a set of one, both new. */
export const addType = async (
  database: Database,
  type: { typeId: string; name: string; maxInstance: number; framebufferMib: number },
): Promise<{ typeId: number; typeSetId: number }> => {
  const description = `num_heads=4, frl_config=60, framebuffer=${type.framebufferMib}M, max_resolution=7680x4320, max_instance=${type.maxInstance}`
  const hash = `${type.typeId} ${type.name} ${description}`
  const { id } = await database.prisma.vgpuType.create({
    data: { hash, typeId: type.typeId, name: type.name, description, deviceApi: 'vfio-pci' },
  })
  const set = await database.prisma.vgpuTypeSet.create({ data: { hash, vgpuTypeIds: [id] } })
  return { typeId: id, typeSetId: set.id }
}
