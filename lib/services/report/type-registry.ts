import 'server-only'
import { createHash } from 'node:crypto'
import type { Query } from '@/lib/server/database/database'
import { type Cell, pgColumn } from './pg-array'
import type { Wording } from './vgpu-type-wording'

/** Ids of vGPU types and type sets, made where they are new. Such rows never change, so a known id stays good. */
export type TypeRegistry = {
  /** In the order of the wordings. */
  typeIds: (wordings: readonly Wording[]) => Promise<number[]>
  /** In the order of the sets; a set is a list of type ids. */
  setIds: (sets: readonly (readonly number[])[]) => Promise<number[]>
}

/** A fleet has some hundreds; beyond this an agent is making them up, and ids are looked up again. */
const MOST_KNOWN = 50_000

// In the order of the hash, so that two consoles that learn the same rows do not wait for each other in a circle.
const INSERT_TYPES = `
INSERT INTO vgpu_type (hash, type_id, name, description, device_api)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS new (hash, a, b, c, d)
ORDER BY hash ON CONFLICT (hash) DO NOTHING`
const FIND_TYPES = 'SELECT id, hash FROM vgpu_type WHERE hash = ANY($1::text[])'

const INSERT_SETS = `
INSERT INTO vgpu_type_set (hash, vgpu_type_ids)
SELECT hash, ids::int[] FROM unnest($1::text[], $2::text[]) AS new (hash, ids)
ORDER BY hash ON CONFLICT (hash) DO NOTHING`
const FIND_SETS = 'SELECT id, hash FROM vgpu_type_set WHERE hash = ANY($1::text[])'

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Content-addressed rows of one table: `cells` are the columns after the hash, `keyOf` covers all of them. */
const createInterner = <Content extends object>({
  query,
  insert,
  select,
  keyOf,
  cellsOf,
}: {
  query: Query
  insert: string
  select: string
  keyOf: (content: Content) => string
  cellsOf: (content: Content) => readonly Cell[]
}): ((contents: readonly Content[]) => Promise<number[]>) => {
  const known = new Map<string, number>()
  /** By the object itself, which a host's reports mostly share with the one before. */
  const seen = new WeakMap<Content, number>()

  const learn = async (fresh: ReadonlyMap<string, Content>): Promise<Map<string, number>> => {
    const rows = [...fresh].map(([key, content]) => [hashOf(key), ...cellsOf(content)])
    const columns = (rows[0] ?? []).map((_, place) => pgColumn(rows.map((row) => row[place] ?? null)))
    await query(insert, columns)
    const found = await query<{ id: number; hash: string }>(select, [columns[0]])
    const idOfHash = new Map(found.map(({ id, hash }) => [hash, id]))
    return new Map(
      [...fresh.keys()].flatMap((key) => {
        const id = idOfHash.get(hashOf(key))
        return id === undefined ? [] : [[key, id]]
      }),
    )
  }

  const find = async (contents: readonly Content[]): Promise<number[]> => {
    const keys = contents.map(keyOf)
    const fresh = new Map<string, Content>()
    for (const [place, content] of contents.entries()) {
      const key = keys[place] ?? ''
      if (!known.has(key)) fresh.set(key, content)
    }
    const learned = fresh.size === 0 ? new Map<string, number>() : await learn(fresh)
    const ids = keys.map((key) => known.get(key) ?? learned.get(key))
    if (known.size + learned.size > MOST_KNOWN) known.clear()
    for (const [key, id] of learned) known.set(key, id)
    return ids.map((id, place) => {
      const content = contents[place]
      if (id === undefined || content === undefined)
        throw new Error('a type that was just stored is not there')
      seen.set(content, id)
      return id
    })
  }

  return async (contents) => {
    const ids: number[] = []
    for (const content of contents) {
      const id = seen.get(content)
      if (id === undefined) return find(contents)
      ids.push(id)
    }
    return ids
  }
}

export const createTypeRegistry = (query: Query): TypeRegistry => ({
  typeIds: createInterner<Wording>({
    query,
    insert: INSERT_TYPES,
    select: FIND_TYPES,
    keyOf: ({ typeId, name, description, deviceApi }) =>
      JSON.stringify([typeId, name, description, deviceApi]),
    cellsOf: ({ typeId, name, description, deviceApi }) => [typeId, name, description, deviceApi],
  }),
  setIds: createInterner<readonly number[]>({
    query,
    insert: INSERT_SETS,
    select: FIND_SETS,
    keyOf: (typeIds) => typeIds.join(),
    cellsOf: (typeIds) => [typeIds],
  }),
})
