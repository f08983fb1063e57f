import 'server-only'
import * as z from 'zod'
import type { CloudHostFacts } from '@/lib/domain/cloud/fleet-types'
import { describeHost } from '@/lib/domain/host/describe-host'
import { haveSameRules, type NovaRange } from '@/lib/domain/nova-config/nova-releases'
import type { Logger } from '@/lib/server/context/log'
import type { Database, Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { loadNovaRange } from '@/lib/services/cloud/nova-range'
import { loadStoredInventories, readStoredInventory } from '@/lib/services/report/read-stored-inventory'
import { hostProblemsSchema } from '@/lib/services/stored-host/find-host'
import { createShare, type Share } from '@/lib/util/create-share'

const hostRow = z.object({
  id: z.int(),
  name: z.string(),
  /** Of the inventory: equal digests mean equal content. */
  digest: z.string().nullable(),
  agentVersion: z.string().nullable(),
  droppedReports: z.int(),
  takenAt: z.date(),
  seenAt: z.date(),
  problems: hostProblemsSchema,
})
type HostRow = z.infer<typeof hostRow>

// SQL: current_host is a view, which Prisma does not know.
const LIST = `
SELECT id, name, digest, agent_version AS "agentVersion",
  dropped_reports AS "droppedReports", taken_at AS "takenAt", seen_at AS "seenAt", problems
FROM current_host h WHERE cloud_id = $1 AND ($2::int[] IS NULL OR id = ANY($2::int[]))
  AND taken_at IS NOT NULL AND seen_at IS NOT NULL ORDER BY name`

/** Inventories in one statement: enough to be quick, few enough that a reading never holds the database for long. */
const BODIES_AT_ONCE = 32

type Content = Pick<CloudHostFacts, 'inventory' | 'description'>
type Described = { digest: string | null; range: NovaRange | null } & Content

type Cache = WeakMap<Database, Map<number, Described>>
const KEY = Symbol.for('sliceboard.host-facts')

// Next's bundles each load their own copy of this module; globalThis is what they share, so a host is held once.
const holder = globalThis as { [KEY]?: Cache }

/** The last descriptions of a database's hosts: of a thousand hosts only the changed ones are loaded again. */
const cacheOf = (database: Database): Map<number, Described> => {
  holder[KEY] ??= new WeakMap()
  const known = holder[KEY].get(database) ?? new Map<number, Described>()
  holder[KEY].set(database, known)
  return known
}

/** Cards and virtual functions of one model mostly list the same types, which are most of an inventory and of its description. */
const shareTypes = ({ inventory, description }: Content, share: Share): Content => ({
  inventory: {
    ...inventory,
    gpus: inventory.gpus.map((gpu) => ({
      ...gpu,
      mdevTypes: share(gpu.mdevTypes),
      virtualFunctions: gpu.virtualFunctions.map((vf) => ({
        ...vf,
        mdevTypes: share(vf.mdevTypes),
        vendorVfio: share(vf.vendorVfio),
      })),
    })),
  },
  description: {
    ...description,
    pgpus: description.pgpus.map((pgpu) => ({
      ...pgpu,
      supportedTypes: pgpu.supportedTypes?.map(share) ?? null,
    })),
  },
})

const learn = async (
  query: Query,
  rows: readonly HostRow[],
  {
    known,
    log,
    range,
    share,
  }: { known: Map<number, Described>; log: Logger; range: NovaRange | null; share: Share },
): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  for (const stored of await loadStoredInventories(query, ids)) {
    const { hostId } = stored
    const row = rows.find(({ id }) => id === hostId)
    if (row === undefined) continue
    try {
      const inventory = await readStoredInventory(stored)
      const description = describeHost(inventory, { detail: 'rules', range })
      known.set(hostId, { digest: row.digest, range, ...shareTypes({ inventory, description }, share) })
    } catch (err) {
      // The host's page reports the same; one host must not prevent findings on the others.
      log.warn({ err, host: row.name }, 'A stored report has an unknown format')
      known.delete(hostId)
    }
  }
}

/** Hosts of a cloud that have reported, as the domain wants them, by name: all, or those of `hostIds`. */
export const loadHostFacts = async (
  database: Database,
  {
    cloudId,
    silentBefore,
    log,
    hostIds,
  }: { cloudId: number; silentBefore: Date; log: Logger; hostIds?: readonly number[] },
): Promise<CloudHostFacts[]> => {
  const ids = hostIds === undefined ? null : pgArray(hostIds)
  const rows = await database.query(LIST, [cloudId, ids], hostRow)
  const known = cacheOf(database)
  const range = await loadNovaRange(database, cloudId)
  const isCurrent = ({ id, digest }: HostRow): boolean => {
    const described = known.get(id)
    return described?.digest === digest && haveSameRules(described.range, range)
  }
  const changed = rows.filter((row) => !isCurrent(row))
  const share = createShare()
  for (let from = 0; from < changed.length; from += BODIES_AT_ONCE)
    await learn(database.query, changed.slice(from, from + BODIES_AT_ONCE), { known, log, range, share })
  return rows.flatMap((row) => {
    const described = known.get(row.id)
    if (described === undefined) return []
    const { inventory, description } = described
    return {
      name: row.name,
      inventory,
      description,
      takenAt: row.takenAt.toISOString(),
      seenAt: row.seenAt.toISOString(),
      isSilent: row.seenAt < silentBefore,
      agentVersion: row.agentVersion,
      droppedReports: row.droppedReports,
      problems: row.problems,
    }
  })
}
