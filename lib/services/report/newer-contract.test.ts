import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_REVISION } from '@/lib/schemas/agent/revision'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { parseReport } from './parse-report'
import { hostStory } from './testing/host-story'

const NEWER = CONTRACT_REVISION + 1

type Member = { index: number; name: string; value: unknown }

/** Members that no revision of this console has, anywhere in an inventory. */
const members = fc.array(
  fc.record({
    index: fc.nat(10_000),
    name: fc.constantFrom('aaaOfTheNext', 'middleOfTheNext', 'zzzOfTheNext', '__proto__', 'constructor'),
    value: fc.oneof(
      fc.constant({ isAdmin: true, gpus: [] }),
      fc.jsonValue({ maxDepth: 3, noUnicodeString: true, stringUnit: 'grapheme-ascii' }),
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

const objectsOf = (value: unknown): object[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsOf)
  return Array.isArray(value) ? inner : [value, ...inner]
}

/** As an agent of the next release sends it. */
const grown = (inventory: Inventory, added: readonly Member[]): Inventory => {
  const copy = structuredClone(inventory)
  const objects = objectsOf(copy)
  for (const { index, name, value } of added) {
    const holder = objects[index % objects.length] ?? copy
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return copy
}

const headOf = (inventory: Inventory) => ({
  contractVersion: 1 as const,
  contractRevision: NEWER,
  agentVersion: '9.0.0',
  position: { boot: 1, sequence: 1 },
  takenAt: '2026-11-22T10:00:00.000Z',
  digest: inventoryDigest(inventory),
  droppedReports: 0,
})

const jsonOf = (inventory: Inventory, changed: Partial<Report> = {}): string =>
  encodeReportJson({ ...headOf(inventory), ...changed, inventory })

/** The same members the other way round, so that the inventory is not the last one, nor canonical. */
const turned = (text: string): string => {
  const turn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turn)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, turn(inner)]),
    )
  }
  return JSON.stringify(turn(JSON.parse(text)))
}

const read = (text: string): Inventory => parseReport(Buffer.from(text)).inventory

test("all known parts of a newer agent's report are read, in any form", () => {
  const run = (inventories: Inventory[], added: Member[]) => {
    for (const inventory of inventories) {
      const json = jsonOf(grown(inventory, added))
      expect(read(json)).toEqual(inventory)
      expect(read(turned(json))).toEqual(inventory)
    }
    expect({}).not.toHaveProperty('isAdmin')
  }
  fc.assert(fc.property(hostStory, members, run), { numRuns: 20 })
}, 60_000)

const unknown = (inventory = t4SeedHost()): Inventory =>
  grown(inventory, [{ index: 0, name: 'ofTheNext', value: { some: 'thing' } }])

describe('control: of an agent that is not newer what is not known is refused, by name', () => {
  test.each([undefined, 1, CONTRACT_REVISION])('revision %s', (contractRevision) => {
    const json = jsonOf(unknown(), { contractRevision })
    for (const text of [json, turned(json)]) expect(() => read(text)).toThrow(/ofTheNext/)
  })
})

const nested = (depth: number): unknown => (depth === 0 ? 'deep' : { in: nested(depth - 1) })

describe('the limits hold for what is not known', () => {
  test.each<[string, unknown, RegExp]>([
    ['depth', nested(40), /nested more than 16 deep/],
    ['values', Array.from({ length: 250_001 }, () => 0), /more than 250000 values/],
    ['NUL', { text: 'a\0b' }, /NUL/],
  ])('%s', (limit, value, message) => {
    for (const index of limit === 'values' ? [0] : [0, 5]) {
      const json = jsonOf(grown(t4SeedHost(), [{ index, name: 'ofTheNext', value }]))
      for (const text of [json, turned(json)]) expect(() => read(text)).toThrow(message)
    }
  })

  test('the digest is that of all that was sent', () => {
    const json = jsonOf(unknown(), { digest: inventoryDigest(t4SeedHost()) })
    for (const text of [json, turned(json)])
      expect(() => read(text)).toThrow(expect.objectContaining({ code: 'digest_mismatch' }))
  })

  test('what is known must still be right', () => {
    const wrong = unknown({ ...t4SeedHost(), mdevs: 'none' as never })
    for (const text of [jsonOf(wrong), turned(jsonOf(wrong))]) expect(() => read(text)).toThrow(/mdevs/)
  })
})
