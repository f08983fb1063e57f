import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Query } from '@/lib/server/database/database'
import { type FleetDictionaries, UNKNOWN } from './card-table'

/** vGPU types and type sets by their row ids. Both kinds of row never change, so each is read once. */
export type TypeCatalogue = {
  learn(asked: {
    query: Query
    typeIds: readonly (number | null)[]
    typeSetIds: readonly (number | null)[]
  }): Promise<void>
  typeIndex(typeId: number | null): number
  rangeIndex(typeSetId: number | null): number
}

type TypeRow = { id: number; typeId: string; name: string | null; description: string | null }
type TypeSetRow = { id: number; vgpuTypeIds: number[] }

const newOnes = (ids: readonly (number | null)[], known: ReadonlyMap<number, unknown>): number[] => {
  const fresh = new Set<number>()
  for (const id of ids) if (id !== null && !known.has(id)) fresh.add(id)
  return [...fresh]
}

export const createTypeCatalogue = (dictionaries: FleetDictionaries): TypeCatalogue => {
  const typeIndexes = new Map<number, number>()
  const mostOf = new Map<number, number | null>()
  const rangeIndexes = new Map<number, number>()

  const addType = (row: TypeRow): void => {
    const { typeId, shortName, framebufferMib, maxInstance } = readTypeFacts(row)
    const entry = { typeId, shortName, framebufferMib }
    typeIndexes.set(
      row.id,
      dictionaries.types.idOf(JSON.stringify(entry), () => entry),
    )
    mostOf.set(row.id, maxInstance)
  }

  const addTypeSet = (row: TypeSetRow): void => {
    const counts = row.vgpuTypeIds.flatMap((id) => mostOf.get(id) ?? [])
    const range: [number, number] = [Math.min(...counts), Math.max(...counts)]
    rangeIndexes.set(
      row.id,
      counts.length === 0 ? UNKNOWN : dictionaries.ranges.idOf(range.join(), () => range),
    )
  }

  const learnTypes = async (query: Query, ids: number[]): Promise<void> => {
    if (ids.length === 0) return
    const sql = `SELECT id, type_id AS "typeId", name, description FROM vgpu_type WHERE id = ANY($1::int[])`
    for (const row of await query<TypeRow>(sql, [ids])) addType(row)
  }

  return {
    learn: async ({ query, typeIds, typeSetIds }) => {
      await learnTypes(query, newOnes(typeIds, typeIndexes))
      const newSets = newOnes(typeSetIds, rangeIndexes)
      if (newSets.length === 0) return
      const sql = `SELECT id, vgpu_type_ids AS "vgpuTypeIds" FROM vgpu_type_set WHERE id = ANY($1::int[])`
      const sets = await query<TypeSetRow>(sql, [newSets])
      await learnTypes(
        query,
        newOnes(
          sets.flatMap((set) => set.vgpuTypeIds),
          typeIndexes,
        ),
      )
      for (const set of sets) addTypeSet(set)
    },
    typeIndex: (typeId) => (typeId === null ? UNKNOWN : (typeIndexes.get(typeId) ?? UNKNOWN)),
    rangeIndex: (typeSetId) => (typeSetId === null ? UNKNOWN : (rangeIndexes.get(typeSetId) ?? UNKNOWN)),
  }
}
