import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { nameForModel } from '@/lib/domain/vgpu-type/name-for-model'
import { readTypeFacts, type TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { readVendorType } from '@/lib/domain/vgpu-type/read-vendor-type'
import { typeRange } from '@/lib/domain/vgpu-type/type-range'
import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'
import type { Query } from '@/lib/server/database/database'
import { type FleetDictionaries, UNKNOWN } from './card-table'

/** vGPU types and type sets by their row ids. Both kinds of row never change, so each is read once. */
export type TypeCatalog = {
  learn(requested: {
    query: Query
    typeIds: readonly (number | null)[]
    typeSetIds: readonly (number | null)[]
  }): Promise<void>
  /** A type that its host does not name goes by the name that is stored for its id, see `nameForModel`. */
  typeIndex(typeId: number | null, model: string): number
  /** The files of vendor VFIO do not report what fits: the published table does, for the card's model. */
  rangeIndex(typeSetId: number | null, framework: string | null, model: string): number
  /** Grows when a type that has already been given out gets other names, so that all hosts are to be read again. */
  renamings(): number
}

type TypeEntry = GpuColumns['types'][number]

const typeRow = z.object({
  id: z.int(),
  typeId: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
})
type TypeRow = z.infer<typeof typeRow>
const typeSetRow = z.object({ id: z.int(), vgpuTypeIds: z.array(z.int()) })
type TypeSetRow = z.infer<typeof typeSetRow>

const newOnes = (ids: readonly (number | null)[], known: ReadonlyMap<number, unknown>): number[] => {
  const fresh = new Set<number>()
  for (const id of ids) if (id !== null && !known.has(id)) fresh.add(id)
  return [...fresh]
}

// SQL: reads on the connection of the statement that loads the hosts.
const FIND_NAMES = `
SELECT id, type_id AS "typeId", name, description FROM vgpu_type
WHERE type_id = ANY($1::text[]) AND name IS NOT NULL ORDER BY type_id, name, description, id`

export const createTypeCatalog = (dictionaries: FleetDictionaries): TypeCatalog => {
  const typeIndexes = new Map<number, number>()
  const typeRows = new Map<number, TypeRow>()
  const typeSets = new Map<number, TypeSetRow>()
  /** By type set and model; an empty model where the driver reports what fits. */
  const rangeIndexes = new Map<string, number>()
  /** Type ids of the rows without a name, and the named entries of these ids. */
  const bareIds = new Map<number, string>()
  const namedEntries = new Map<string, TypeEntry[]>()
  let renamings = 0

  const indexOf = (entry: TypeEntry): number => dictionaries.types.idOf(JSON.stringify(entry), () => entry)

  const addType = (row: TypeRow): void => {
    const { typeId, shortName, framebufferMib } = readTypeFacts(row)
    typeIndexes.set(row.id, indexOf({ typeId, shortName, framebufferMib }))
    if (row.name === null) bareIds.set(row.id, typeId)
    typeRows.set(row.id, row)
  }

  const rangeOf = ({ vgpuTypeIds }: TypeSetRow, readFacts: (row: TypeRow) => TypeFacts): number => {
    const range = typeRange(vgpuTypeIds.flatMap((id) => typeRows.get(id) ?? []).map(readFacts))
    return range === null ? UNKNOWN : dictionaries.ranges.idOf(range.join(), () => [...range])
  }

  const learnTypes = async (query: Query, ids: number[]): Promise<void> => {
    if (ids.length === 0) return
    const sql = `SELECT id, type_id AS "typeId", name, description FROM vgpu_type WHERE id = ANY($1::int[])`
    for (const row of await query(sql, [ids], typeRow)) addType(row)
  }

  /** Names may come from any host and at any time, so they are queried again while a type has no name. */
  const learnNames = async (query: Query): Promise<void> => {
    const requested = [...new Set(bareIds.values())]
    if (requested.length === 0) return
    const found = new Map(requested.map((typeId): [string, TypeEntry[]] => [typeId, []]))
    for (const row of await query(FIND_NAMES, [requested], typeRow)) {
      const { typeId, shortName, framebufferMib } = readTypeFacts(row)
      found.get(typeId)?.push({ typeId, shortName, framebufferMib })
    }
    for (const [typeId, entries] of found) {
      const before = namedEntries.get(typeId)
      if (before !== undefined && !isDeepStrictEqual(before, entries)) renamings += 1
      namedEntries.set(typeId, entries)
    }
  }

  const learnSets = async (query: Query, ids: readonly (number | null)[]): Promise<void> => {
    const newSets = newOnes(ids, typeSets)
    if (newSets.length === 0) return
    const sql = `SELECT id, vgpu_type_ids AS "vgpuTypeIds" FROM vgpu_type_set WHERE id = ANY($1::int[])`
    const sets = await query(sql, [newSets], typeSetRow)
    await learnTypes(
      query,
      newOnes(
        sets.flatMap((set) => set.vgpuTypeIds),
        typeIndexes,
      ),
    )
    for (const set of sets) typeSets.set(set.id, set)
  }

  return {
    learn: async ({ query, typeIds, typeSetIds }) => {
      await learnTypes(query, newOnes(typeIds, typeIndexes))
      await learnSets(query, typeSetIds)
      await learnNames(query)
    },
    typeIndex: (typeId, model) => {
      if (typeId === null) return UNKNOWN
      const named = namedEntries.get(bareIds.get(typeId) ?? '') ?? []
      const entry = named.length === 0 ? null : nameForModel(named, model)
      return entry === null ? (typeIndexes.get(typeId) ?? UNKNOWN) : indexOf(entry)
    },
    rangeIndex: (typeSetId, framework, model) => {
      const set = typeSetId === null ? undefined : typeSets.get(typeSetId)
      if (set === undefined) return UNKNOWN
      const isVendorVfio = framework === 'vendor-vfio'
      const key = `${set.id} ${isVendorVfio ? model : ''}`
      const held = rangeIndexes.get(key)
      if (held !== undefined) return held
      const card = { model, framebufferMib: null }
      const index = rangeOf(set, (row) =>
        isVendorVfio ? readVendorType({ ...row, card }) : readTypeFacts(row),
      )
      rangeIndexes.set(key, index)
      return index
    },
    renamings: () => renamings,
  }
}
