import 'server-only'
import { createHash } from 'node:crypto'
import type { Query } from '@/lib/server/database/database'
import { type Cell, pgColumn, pgRowColumns } from './pg-array'
import type { Wording } from './vgpu-type-wording'

/**
 * Ids of vGPU types and type sets, made where they are new. Such rows never change and are never deleted, so a known id stays good
 * as long as the database is the same.
 */
export type TypeRegistry = {
  /** In the order of the wordings. */
  typeIds: (wordings: readonly Wording[]) => Promise<number[]>
  /** In the order of the sets; a set is a list of type ids. */
  setIds: (sets: readonly (readonly number[])[]) => Promise<number[]>
  /** Looks up everything anew: the database may be one that lost rows, as a standby that took over. */
  forget: () => void
  /** Another number after each time that it forgot: ids from before are no longer to be used. */
  epoch: () => number
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

type Table<Content> = {
  query: Query
  insert: string
  select: string
  /** `cellsOf` are the columns after the hash, `keyOf` covers all of them. */
  keyOf: (content: Content) => string
  cellsOf: (content: Content) => readonly Cell[]
}

/** The ids of contents by their keys, made where they are new; what is there already is only read. */
const learn = async <Content>(
  { query, insert, select, cellsOf }: Table<Content>,
  fresh: ReadonlyMap<string, Content>,
): Promise<Map<string, number>> => {
  const keyOfHash = new Map([...fresh.keys()].map((key) => [hashOf(key), key]))
  const learned = new Map<string, number>()
  const look = async (hashes: readonly string[]): Promise<void> => {
    for (const { id, hash } of await query<{ id: number; hash: string }>(select, [pgColumn(hashes)]))
      learned.set(keyOfHash.get(hash) ?? '', id)
  }
  await look([...keyOfHash.keys()])
  const rows = [...keyOfHash].flatMap(([hash, key]) => {
    const content = fresh.get(key)
    return learned.has(key) || content === undefined ? [] : [[hash, ...cellsOf(content)]]
  })
  if (rows.length === 0) return learned
  await query(insert, pgRowColumns(rows, rows[0]?.length ?? 0))
  await look(rows.map(([hash]) => String(hash)))
  return learned
}

type Learned = ReadonlyMap<string, number>
type Batch<Content> = { fresh: Map<string, Content>; learned: Promise<Learned> }

/**
 * Learns what several ask for at once in one go, and each content once: a fleet that reports for the first time asks for the same
 * types hundreds of times before the first answer is there.
 */
const createLearner = <Content>(
  table: Table<Content>,
): ((key: string, content: Content) => Promise<Learned>) => {
  const underway = new Map<string, Promise<Learned>>()
  let next: Batch<Content> | null = null
  let before: Promise<unknown> = Promise.resolve()

  const openBatch = (): Batch<Content> => {
    const fresh = new Map<string, Content>()
    const learned = before.then(() => {
      next = null
      return learn(table, fresh)
    })
    before = learned.catch(() => undefined)
    return { fresh, learned }
  }
  return (key, content) => {
    const same = underway.get(key)
    if (same !== undefined) return same
    next ??= openBatch()
    next.fresh.set(key, content)
    const learned = next.learned.finally(() => underway.delete(key))
    underway.set(key, learned)
    return learned
  }
}

type Interner<Content> = { idsOf: (contents: readonly Content[]) => Promise<number[]>; forget: () => void }

/** Content-addressed rows of one table. */
const createInterner = <Content extends object>(table: Table<Content>): Interner<Content> => {
  const { keyOf } = table
  const known = new Map<string, number>()
  /** By the object itself, which a host's reports mostly share with the one before. */
  let seen = new WeakMap<Content, number>()
  let ask = createLearner(table)

  /** One content that cannot be stored must not keep those of others, so after a failure each is asked for by itself. */
  const learnAll = async (fresh: ReadonlyMap<string, Content>): Promise<Map<string, number>> => {
    const own = ask
    try {
      const batches = new Set(await Promise.all([...fresh].map(([key, content]) => own(key, content))))
      return new Map([...batches].flatMap((learned) => [...learned]).filter(([key]) => fresh.has(key)))
    } catch {
      return learn(table, fresh)
    }
  }

  const find = async (contents: readonly Content[]): Promise<number[]> => {
    const asked = ask
    const keys = contents.map(keyOf)
    const fresh = new Map<string, Content>()
    for (const [place, content] of contents.entries()) {
      const key = keys[place] ?? ''
      if (!known.has(key)) fresh.set(key, content)
    }
    const sure = new Map(keys.map((key) => [key, known.get(key)]))
    const learned = fresh.size === 0 ? new Map<string, number>() : await learnAll(fresh)
    // What was asked for before it forgot is not to be remembered after it.
    const isCurrent = asked === ask
    if (isCurrent && known.size + learned.size > MOST_KNOWN) known.clear()
    if (isCurrent) for (const [key, id] of learned) known.set(key, id)
    return contents.map((content, place) => {
      const key = keys[place] ?? ''
      const id = sure.get(key) ?? learned.get(key)
      if (id === undefined) throw new Error('a type that was just stored is not there')
      if (isCurrent) seen.set(content, id)
      return id
    })
  }

  return {
    idsOf: async (contents) => {
      const ids: number[] = []
      for (const content of contents) {
        const id = seen.get(content)
        if (id === undefined) return find(contents)
        ids.push(id)
      }
      return ids
    },
    forget: () => {
      known.clear()
      seen = new WeakMap()
      ask = createLearner(table)
    },
  }
}

export const createTypeRegistry = (query: Query): TypeRegistry => {
  const types = createInterner<Wording>({
    query,
    insert: INSERT_TYPES,
    select: FIND_TYPES,
    keyOf: ({ typeId, name, description, deviceApi }) =>
      JSON.stringify([typeId, name, description, deviceApi]),
    cellsOf: ({ typeId, name, description, deviceApi }) => [typeId, name, description, deviceApi],
  })
  const sets = createInterner<readonly number[]>({
    query,
    insert: INSERT_SETS,
    select: FIND_SETS,
    keyOf: (typeIds) => typeIds.join(),
    cellsOf: (typeIds) => [typeIds],
  })
  let epoch = 0
  return {
    typeIds: types.idsOf,
    setIds: sets.idsOf,
    forget: () => {
      epoch += 1
      types.forget()
      sets.forget()
    },
    epoch: () => epoch,
  }
}
