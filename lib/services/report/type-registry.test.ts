import { expect, test, vi } from 'vitest'
import type { Query } from '@/lib/server/database/database'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { createTypeRegistry } from './type-registry'
import type { Wording } from './vgpu-type-wording'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 60_000 })

/** The types of one card as each host reads them itself: the same words, in objects of its own. */
const wordingsOf = (card: string, count = 40): Wording[] =>
  Array.from({ length: count }, (_, place) => ({
    typeId: `nvidia-${place}`,
    name: `${card}-${place}Q`,
    description: `num_heads=4, framebuffer=${place}M`,
    deviceApi: 'vfio-pci',
  }))

/** The database's statements, counted by their first word. */
const countedQuery = () => {
  const counts: Record<string, number> = {}
  const query: Query = (sql, params) => {
    const [word = ''] = String(typeof sql === 'string' ? sql : sql.text)
      .trim()
      .split(/\s/)
    counts[word] = (counts[word] ?? 0) + 1
    return world.database().query(sql, params)
  }
  return { query, counts }
}

const rowsOf = async (card: string): Promise<number> => {
  const [row] = await world
    .database()
    .query<{ count: number }>(`SELECT count(*)::int AS count FROM vgpu_type WHERE name LIKE $1`, [
      `${card}-%`,
    ])
  return row?.count ?? 0
}

test('a whole fleet that reports at once stores its types once, in one go', async () => {
  const { query, counts } = countedQuery()
  const registry = createTypeRegistry(query)
  const answers = await Promise.all(Array.from({ length: 500 }, () => registry.typeIds(wordingsOf('fleet'))))
  expect(new Set(answers.map((ids) => ids.join())).size).toBe(1)
  expect(new Set(answers[0]).size).toBe(40)
  expect(counts).toEqual({ SELECT: 2, INSERT: 1 })
  expect(await rowsOf('fleet')).toBe(40)
  await registry.typeIds(wordingsOf('fleet'))
  expect(counts).toEqual({ SELECT: 2, INSERT: 1 })
})

test('a console that starts anew reads known types and writes none', async () => {
  const first = await createTypeRegistry(world.database().query).typeIds(wordingsOf('restart'))
  const { query, counts } = countedQuery()
  const registry = createTypeRegistry(query)
  expect(await registry.typeIds(wordingsOf('restart'))).toEqual(first)
  expect(counts).toEqual({ SELECT: 1 })
  expect(await registry.setIds([first])).toHaveLength(1)
})

test('hosts with other cards share what is asked for meanwhile', async () => {
  const { query, counts } = countedQuery()
  const registry = createTypeRegistry(query)
  const cards = ['one', 'two', 'three']
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, place) => registry.typeIds(wordingsOf(`mixed-${cards[place % 3]}`))),
  )
  expect(new Set(answers.map((ids) => ids.join())).size).toBe(3)
  expect(counts.INSERT).toBeLessThanOrEqual(2)
})

test('what is asked for while it is being stored is not asked for again', async () => {
  const { query, counts } = countedQuery()
  let later: Promise<number[]> | null = null
  const registry = createTypeRegistry(async (sql, params) => {
    later ??= registry.typeIds(wordingsOf('underway'))
    return query(sql, params)
  })
  const first = await registry.typeIds(wordingsOf('underway'))
  expect(await later).toEqual(first)
  expect(counts).toEqual({ SELECT: 2, INSERT: 1 })
})

test('two consoles that learn the same types in other orders at once get the same ids', async () => {
  const wordings = wordingsOf('both', 200)
  const failed: unknown[] = []
  const query: Query = async (sql, params) => {
    try {
      return await world.database().query(sql, params)
    } catch (error) {
      failed.push(error)
      throw error
    }
  }
  const consoles = [createTypeRegistry(query), createTypeRegistry(query)]
  for (let round = 0; round < 10; round += 1) {
    const part = wordings.slice(round * 20, round * 20 + 20)
    const [one = [], two = []] = await Promise.all(
      consoles.map((registry, place) => registry.typeIds(place === 0 ? part : part.toReversed())),
    )
    expect(two.toReversed()).toEqual(one)
  }
  expect(failed).toEqual([])
  expect(await rowsOf('both')).toBe(200)
})

test('one host whose type cannot be stored keeps no other from theirs', async () => {
  const registry = createTypeRegistry(world.database().query)
  const bad: Wording = { typeId: 'nvidia-1', name: 'bad\0', description: null, deviceApi: null }
  const [refused, ...others] = await Promise.allSettled([
    registry.typeIds([bad]),
    ...Array.from({ length: 5 }, () => registry.typeIds(wordingsOf('good'))),
  ])
  expect(refused?.status).toBe('rejected')
  expect(others.map(({ status }) => status)).toEqual(new Array(5).fill('fulfilled'))
})

test('what failed is asked for again, and after a database that lost rows everything is', async () => {
  let isAway = true
  const registry = createTypeRegistry((sql, params) =>
    isAway ? Promise.reject(new Error('away')) : world.database().query(sql, params),
  )
  await expect(registry.typeIds(wordingsOf('lost'))).rejects.toThrow('away')
  isAway = false
  const before = await registry.typeIds(wordingsOf('lost'))
  await world.database().query(`DELETE FROM vgpu_type WHERE name LIKE 'lost-%'`)
  expect(await registry.typeIds(wordingsOf('lost'))).toEqual(before)
  const epoch = registry.epoch()
  registry.forget()
  expect(registry.epoch()).not.toBe(epoch)
  const after = await registry.typeIds(wordingsOf('lost'))
  expect(after).not.toEqual(before)
  expect(await rowsOf('lost')).toBe(40)
})
