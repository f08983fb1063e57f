import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffText } from '@/agent/difference/diff-text'
import { a100SlidesHost, migHost, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import { applyEdits, type Edit, editedLength } from '@/lib/schemas/agent/difference'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { editInventory, type KeptInventory, readInventory } from './inventory-reader'
import { anyHost, hostStory } from './testing/host-story'
import { inventoryText } from './testing/sent-report'

const canonical = (inventory: Inventory): Buffer => Buffer.from(inventoryText(inventory))

const readAll = (json: Buffer, kept: KeptInventory | null): KeptInventory | null =>
  readInventory(json, { kept, isNewer: false })

/** A kept inventory of its own, which edits may change. */
const copyOf = ({ sections, starts, ends, ...kept }: KeptInventory): KeptInventory => ({
  ...kept,
  sections: [...sections],
  starts: [...starts],
  ends: [...ends],
})

/** The inventory with the edits made; null where it is to be read as a whole. */
const readEdited = (kept: KeptInventory, json: Buffer, edits: readonly Edit[]): KeptInventory | null => {
  const before = copyOf(kept)
  const edited = copyOf(kept)
  if (editInventory(edited, { json, edits })) return edited
  expectSame(edited, before)
  return null
}

const expectSame = (read: unknown, expected: unknown) => {
  if (!isDeepStrictEqual(read, expected)) expect(read).toEqual(expected)
}

test('read against the last inventory it is what the schema reads from the whole', () => {
  fc.assert(
    fc.property(hostStory, (inventories) => {
      let kept: KeptInventory | null = null
      for (const inventory of inventories) {
        kept = readAll(canonical(inventory), kept)
        expectSame(kept?.inventory, inventorySchema.parse(JSON.parse(canonical(inventory).toString())))
      }
    }),
    { numRuns: 100 },
  )
}, 60_000)

test('read by its edits it is what the schema reads from the whole, each time anew from the one before', () => {
  let read = 0
  fc.assert(
    fc.property(hostStory, (inventories) => {
      let kept: KeptInventory | null = null
      for (const inventory of inventories) {
        const json = canonical(inventory)
        const edits: Edit[] = kept === null ? [] : diffText(kept.json.toString(), json.toString())
        const edited: KeptInventory | null = kept === null ? null : readEdited(kept, json, edits)
        if (edited !== null) read += 1
        kept = edited ?? readAll(json, kept)
        expectSame(kept?.inventory, inventorySchema.parse(JSON.parse(json.toString())))
      }
    }),
    { numRuns: 100 },
  )
  expect(read).toBeGreaterThan(100)
}, 60_000)

test('whatever edits are made, it reads what the schema reads, or nothing', () => {
  fc.assert(
    fc.property(anyHost, damage, (inventory, { place, length, inserted }) => {
      const base = canonical(inventory)
      const kept = readAll(base, null)
      if (kept === null) return
      const at = place % (base.length + 1)
      const edits: Edit[] = [[at, Math.min(length, base.length - at), inserted]]
      const json = Buffer.alloc(editedLength(base.length, edits) ?? 0)
      applyEdits(base, edits, json)
      const read = readEdited(kept, json, edits)
      if (read !== null) expectSame(read.inventory, parseWhole(json))
    }),
    { numRuns: 400 },
  )
}, 60_000)

const parseWhole = (json: Buffer): Inventory | null => {
  try {
    return inventorySchema.parse(JSON.parse(json.toString()))
  } catch {
    return null
  }
}

const damage = fc.record({
  place: fc.nat(),
  length: fc.nat(12),
  inserted: fc.oneof(
    fc.constantFrom('', '"', '\\', ',', ':', '{', '}', '[', ']', 'null', '[],', '{},', ' ', '1', 'é'),
    fc.string({ maxLength: 4 }),
  ),
})

test('whatever is done to the bytes, it reads what the schema reads, or nothing', () => {
  fc.assert(
    fc.property(anyHost, fc.array(damage, { minLength: 1, maxLength: 3 }), (inventory, damages) => {
      const whole = canonical(inventory)
      const kept = readAll(whole, null)
      let json = whole
      for (const { place, length, inserted } of damages) {
        const at = place % (json.length + 1)
        json = Buffer.concat([json.subarray(0, at), Buffer.from(inserted), json.subarray(at + length)])
      }
      const read = readAll(json, kept)
      if (read !== null) expectSame(read.inventory, parseWhole(json))
    }),
    { numRuns: 400 },
  )
}, 60_000)

test('every fixture is told without the schema', () => {
  for (const make of [t4SeedHost, a100SlidesHost, vendorVfioHost, migHost])
    expect(compileCheck(inventorySchema)(JSON.parse(canonical(make()).toString()))).toBe(true)
})

test('what has not changed is the same object', () => {
  const before = t4SeedHost()
  const first = readAll(canonical(before), null)
  const second = readAll(canonical({ ...before, guests: [] }), first)
  expect(second?.inventory.gpus).toBe(first?.inventory.gpus)
  expect(second?.inventory.vgpuTypes).toBe(first?.inventory.vgpuTypes)
  expect(second?.inventory.guests).toEqual([])
})

const smiOf = (inventory: Inventory, name: string) =>
  inventory.nvidiaSmi && {
    ...inventory.nvidiaSmi,
    gpus: inventory.nvidiaSmi.gpus.map((gpu, place) => (place === 3 ? { ...gpu, name } : gpu)),
  }

test('an edit leaves the entries around it the same objects', () => {
  const before = t4SeedHost()
  const after = {
    ...before,
    gpus: before.gpus.filter((_, place) => place !== 2),
    nvidiaSmi: smiOf(before, 'T4'),
  }
  const kept = readAll(canonical(before), null)
  if (kept === null) throw new Error('the host is read')
  const json = canonical(after)
  const edits = diffText(canonical(before).toString(), json.toString())
  const read = readEdited(kept, json, edits)
  expectSame(read?.inventory, after)
  const lastGpus = kept.inventory.gpus.filter((_, place) => place !== 2)
  expect(read?.inventory.gpus.map((gpu, place) => gpu === lastGpus[place])).not.toContain(false)
  const lastSmi = kept.inventory.nvidiaSmi?.gpus
  const isSame = read?.inventory.nvidiaSmi?.gpus.map((gpu, place) => gpu === lastSmi?.[place])
  expect(isSame).toEqual([true, true, true, false, true, true, true, true])
})

test('where one section of two cannot be read, the kept inventory stays as it was', () => {
  const before = t4SeedHost()
  const kept = readAll(canonical(before), null)
  if (kept === null) throw new Error('the host is read')
  for (const wrong of [
    { guests: [], nvidiaSmi: smiOf(before, 5 as never) },
    { gpus: [], mdevs: [{}] as never },
  ]) {
    const json = canonical({ ...before, ...wrong })
    const edits = diffText(canonical(before).toString(), json.toString())
    expect(readEdited(kept, json, edits)).toBeNull()
  }
})

test('a section that is edited and not kept is read all the same', () => {
  const before = t4SeedHost()
  const after = {
    ...before,
    guests: [],
    gpus: before.gpus.slice(1),
    mdevs: [],
    nvidiaSmi: smiOf(before, 'T4'),
  }
  const kept = readAll(canonical(before), null)
  if (kept === null) throw new Error('the host is read')
  const json = canonical(after)
  const edits = diffText(canonical(before).toString(), json.toString())
  const bare = kept.sections.map(({ value }) => ({ value, entries: null }))
  for (const sections of [bare, []]) {
    const read = readEdited({ ...kept, sections }, json, edits)
    if (read !== null) expectSame(read.inventory, after)
    expectSame(readAll(json, { ...kept, sections })?.inventory, after)
  }
})

test('a shorter number or text at the same place is not taken for the one before', () => {
  const before = { ...t4SeedHost(), nvidiaSmi: { driverVersion: '535.161.05', gpus: [] } }
  const first = readAll(canonical(before), null)
  const changed = { ...before, nvidiaSmi: { driverVersion: '535.161.0', gpus: [] } }
  expect(readAll(canonical(changed), first)?.inventory.nvidiaSmi?.driverVersion).toBe('535.161.0')
})

test('any other order of members is left to the parse of the whole', () => {
  expect(readAll(Buffer.from(JSON.stringify(t4SeedHost())), null)).toBeNull()
})

test.each(['a\0b', '\0', '\\\0'])(
  'a text with a NUL is left to the parse of the whole, which names it',
  (text) => {
    const kept = readAll(canonical(t4SeedHost()), null)
    if (kept === null) throw new Error('the host is read')
    const json = canonical({ ...t4SeedHost(), nvidiaSmi: smiOf(t4SeedHost(), text) })
    expect(readAll(json, kept)).toBeNull()
    const edits = diffText(kept.json.toString(), json.toString())
    expect(readEdited(kept, json, edits)).toBeNull()
  },
)

test('so is a part of more values than are read', () => {
  const host = t4SeedHost()
  const gpus = host.gpus.slice(0, 1).map((gpu) => ({
    ...gpu,
    virtualFunctions: Array.from({ length: 256 }, (_, place) => ({
      address: `0000:18:${(place >> 3).toString(16).padStart(2, '0')}.${place % 8}`,
      driver: null,
      iommuGroup: null,
      mdevTypes: Array.from({ length: 400 }, (): [number, number] => [0, 0]),
      vendorVfio: null,
    })),
  }))
  expect(inventorySchema.safeParse({ ...host, gpus }).success).toBe(true)
  expect(readAll(canonical({ ...host, gpus }), null)).toBeNull()
})
