import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'
import { idRow } from '@/lib/server/database/row'
import { compareTexts } from '@/lib/util/compare-texts'
import {
  CARD_WIDTH,
  cardOffset,
  createFleetDictionaries,
  type FleetDictionaries,
  type HostBlock,
  UNKNOWN,
} from './card-table'
import { type EncodedFleet, encodeFleet } from './encode-fleet'
import { loadHosts } from './load-hosts'
import { createTypeCatalog, type TypeCatalog } from './type-catalog'

/** A cloud's fleet at one moment. A new object means new content, the same object the same content. */
export type Fleet = {
  hosts: readonly HostBlock[]
  dictionaries: FleetDictionaries
  encoded: EncodedFleet
  /** Whether Nova's services were read for any pGPU: then free capacity has to be schedulable, too. */
  isCloudRead: boolean
}

export type FleetSnapshot = {
  /** The fleet as of now, or as old as nine times the cost of the last look, `longestRestMs` at most. */
  current(): Promise<Fleet>
  /** The fleet as of now. */
  fresh(): Promise<Fleet>
}

type State = {
  /** Every transaction below this one had ended when the blocks were read: its rows are in. */
  sinceXid: bigint
  blocks: Map<number, HostBlock>
  dictionaries: FleetDictionaries
  catalog: TypeCatalog
}
type Loaded = State & { fleet: Fleet }

const checkRow = z.object({
  xmin: z.string(),
  hostCount: z.int(),
  /** Id and xid of each changed host. */
  changed: z.array(z.tuple([z.int(), z.string()])).nullable(),
})
type Check = z.infer<typeof checkRow>

/* SQL: transaction snapshots are PostgreSQL's own.
    
    Rows of a transaction that was still running at the last check have an xid at or above that check's xmin, so the next
    check finds them independent of the order of commits and of the replica. xids at or above xmax come from another
    cluster (a restored dump) and have no meaning here. The count finds removed hosts. */
const CHECK = `
SELECT pg_snapshot_xmin(now_seen)::text AS xmin,
  (SELECT count(*)::int FROM current_host WHERE cloud_id = $1) AS "hostCount",
  (SELECT json_agg(json_build_array(id, changed_xid::text)) FROM current_host
   WHERE cloud_id = $1 AND changed_xid >= $2::bigint
     AND changed_xid < pg_snapshot_xmax(now_seen)::text::bigint) AS changed
FROM pg_current_snapshot() AS now_seen`

/** Hosts per answer of the database: with eight pGPUs each, 3 MB. All 80,000 pGPUs in one answer raise the peak of memory by 20 MiB. */
const HOSTS_PER_ANSWER = 1000

const NOTHING_NEWER = 2n ** 63n - 1n

/**
 * A rebuild of 80 ms is followed by 0.7 s of rest, a check of 2 ms by 18 ms: at most a tenth of one core, for any number
 * of callers.
 */
const RESTS_PER_COST = 9

const SERVICE = cardOffset('serviceIndex')

const isReadByCloud = ({ cards }: HostBlock): boolean => {
  for (let at = SERVICE; at < cards.length; at += CARD_WIDTH) if (cards[at] !== UNKNOWN) return true
  return false
}

/** Hosts change without their pGPUs (a guest's name, a version): what was encoded stays good then. */
const isSameContent = (
  before: ReadonlyMap<number, HostBlock>,
  after: ReadonlyMap<number, HostBlock>,
): boolean => {
  if (before.size !== after.size) return false
  for (const [id, block] of after) {
    const old = before.get(id)
    if (old === block) continue
    if (old?.name !== block.name || !isDeepStrictEqual(old.cards, block.cards)) return false
  }
  return true
}

export const createFleetSnapshot = ({
  query,
  cloud,
  longestRestMs = 1000,
}: {
  query: Query
  cloud: { id: number; name: string }
  longestRestMs?: number
}): FleetSnapshot => {
  let loaded: Loaded | null = null
  let running: Promise<Fleet> | null = null
  let restsUntil = 0

  const check = async (sinceXid: bigint): Promise<Check> => {
    const [row] = await query(CHECK, [cloud.id, sinceXid.toString()], checkRow)
    if (row === undefined) throw new Error('the database gave no snapshot')
    return row
  }

  const publish = (parts: State, encodedBefore: EncodedFleet | null): Fleet => {
    const { dictionaries } = parts
    const hosts = [...parts.blocks.values()].sort((a, b) => compareTexts(a.name, b.name))
    const encoded = encodedBefore ?? encodeFleet({ cloud: cloud.name, blocks: hosts, dictionaries })
    const fleet = { hosts, dictionaries, encoded, isCloudRead: hosts.some(isReadByCloud) }
    loaded = { ...parts, fleet }
    return fleet
  }

  const replaceHosts = async (state: State, hostIds: readonly number[]): Promise<void> => {
    const { blocks, dictionaries, catalog } = state
    for (let at = 0; at < hostIds.length; at += HOSTS_PER_ANSWER) {
      const part = hostIds.slice(at, at + HOSTS_PER_ANSWER)
      const fresh = await loadHosts({ query, cloudId: cloud.id, hostIds: part, dictionaries, catalog })
      for (const id of part) blocks.delete(id)
      for (const block of fresh) blocks.set(block.id, block)
    }
  }

  /** Hosts were removed, or came without a change mark: compare all ids. */
  const reconcile = async (state: State): Promise<void> => {
    const rows = await query('SELECT id FROM current_host WHERE cloud_id = $1', [cloud.id], idRow)
    const present = new Set(rows.map((row) => row.id))
    for (const id of state.blocks.keys()) if (!present.has(id)) state.blocks.delete(id)
    await replaceHosts(
      state,
      [...present].filter((id) => !state.blocks.has(id)),
    )
  }

  const loadAll = async (): Promise<Fleet> => {
    const { xmin } = await check(NOTHING_NEWER)
    const dictionaries = createFleetDictionaries()
    const catalog = createTypeCatalog(dictionaries)
    const state = { blocks: new Map(), dictionaries, catalog, sinceXid: BigInt(xmin) }
    await reconcile(state)
    // A type was renamed between two answers: hosts of the first have the old name.
    if (catalog.renamings() > 0) return loadAll()
    return publish(state, null)
  }

  const isBloated = ({ dictionaries, blocks }: Loaded): boolean =>
    dictionaries.findings.size() + dictionaries.reasons.size() > 50_000 + blocks.size * 16

  const refresh = async (): Promise<Fleet> => {
    if (loaded === null) return loadAll()
    const found = await check(loaded.sinceXid)
    // A smaller xmin than before: the database was restored to an older state.
    if (BigInt(found.xmin) < loaded.sinceXid || isBloated(loaded)) return loadAll()
    const { blocks } = loaded
    const changedIds = (found.changed ?? [])
      .filter(([id, changedXid]) => blocks.get(id)?.changedXid !== changedXid)
      .map(([id]) => id)
    if (changedIds.length === 0 && found.hostCount === blocks.size) {
      loaded = { ...loaded, sinceXid: BigInt(found.xmin) }
      return loaded.fleet
    }
    const renamings = loaded.catalog.renamings()
    const next = { ...loaded, sinceXid: BigInt(found.xmin), blocks: new Map(blocks) }
    await replaceHosts(next, changedIds)
    if (next.blocks.size !== found.hostCount) await reconcile(next)
    if (next.catalog.renamings() !== renamings) return loadAll()
    return publish(next, isSameContent(blocks, next.blocks) ? loaded.fleet.encoded : null)
  }

  const refreshOnce = async (): Promise<Fleet> => {
    const startedAt = performance.now()
    const fleet = await refresh()
    const endedAt = performance.now()
    restsUntil = endedAt + Math.min((endedAt - startedAt) * RESTS_PER_COST, longestRestMs)
    return fleet
  }

  const fresh = (): Promise<Fleet> => {
    running ??= refreshOnce().finally(() => {
      running = null
    })
    return running
  }
  return {
    current: async () => {
      if (loaded !== null && performance.now() < restsUntil) return loaded.fleet
      return fresh()
    },
    fresh,
  }
}
