import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGuest, buildInventory, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import {
  a40Host,
  gvtgHost,
  k40cHost,
  migHost,
  mttyHost,
  t4SeedHost,
  vendorVfioHost,
} from '@/lib/domain/testing/fixtures'
import { vfOf } from '@/lib/domain/testing/offers'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { describeHost } from './describe-host'

/** Cells of a pGPU, unless more vGPUs exist; see cells.ts. */
const MAX_CELLS = 256

const FIXTURES = [t4SeedHost, a40Host, vendorVfioHost, migHost, gvtgHost, mttyHost, k40cHost]

/** Every place of a value, as keys from the root. */
const pathsOf = (value: unknown, path: string[] = []): string[][] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))
    : []),
]

const withValue = (inventory: Inventory, path: string[], value: unknown): unknown => {
  const copy: unknown = structuredClone(inventory)
  let position = copy
  for (const key of path.slice(0, -1)) position = (position as Record<string, unknown>)[key]
  const last = path.at(-1)
  if (last !== undefined) (position as Record<string, unknown>)[last] = value
  return copy
}

const oddValue = fc.oneof(
  fc.constantFrom(null, 0, 1, 1_000_000, '', [], '0000:41:00.4', uuidOf(1), 'nvidia-560', '[]', '{"a":'),
  fc.string({ maxLength: 12 }),
)

describe('odd reports', { timeout: 60_000 }, () => {
  it('a report with any value in one field is read, and the numbers keep their rules', () => {
    let read = 0
    fc.assert(
      fc.property(fc.nat(), fc.nat(), oddValue, (which, where, value) => {
        const inventory = (FIXTURES[which % FIXTURES.length] ?? t4SeedHost)()
        const paths = pathsOf(inventory).slice(1)
        const parsed = inventorySchema.safeParse(
          withValue(inventory, paths[where % paths.length] ?? [], value),
        )
        if (!parsed.success) return
        read += 1
        for (const { numbers, cells } of describeHost(parsed.data).pgpus) {
          for (const { value: number, reason } of Object.values(numbers)) {
            if (number === null) expect(reason).toMatch(/\w/)
            else expect(number).toBeGreaterThanOrEqual(0)
          }
          if (numbers.capacity.value !== null) {
            const vgpus = cells.filter(({ address }) => address !== null).length
            expect(cells.length).toBe(Math.max(vgpus, Math.min(numbers.capacity.value, MAX_CELLS)))
          }
        }
      }),
      { numRuns: 150 },
    )
    expect(read).toBeGreaterThan(15)
  })

  it('a report that is large on purpose is read and stays bounded', () => {
    const functions = Array.from({ length: 240 }, (_, n) => ({
      address: vfOf('0000:41:00.0', n % 240),
      vendorVfio: {
        currentType: 7,
        creatable: Array.from({ length: 400 }, (_, line) => `${n * 400 + line + 8} : NVIDIA X-1Q`),
      },
    }))
    const pattern = `${'('.repeat(3000)}a*${')*'.repeat(3000)}`
    const specs = JSON.stringify(Array.from({ length: 3000 }, () => ({})))
    const inventory = buildInventory({
      cards: [{ address: '0000:41:00.0', functions }],
      mdevs: Array.from({ length: 4000 }, (_, n) => buildMdev({ uuid: uuidOf(n), parent: '0000:41:00.0' })),
      guests: Array.from({ length: 2000 }, (_, n) =>
        buildGuest({ uuid: uuidOf(n), name: `i-${n}`, mdevs: [uuidOf(n)], pciDevices: ['0000:41:00.4'] }),
      ),
      novaConfig: novaConf(
        `[devices]\nenabled_mdev_types = ${'a,'.repeat(7000)}\n[mdev_a]\ndevice_addresses = ${'0000:41:00.0,'.repeat(1000)}\n[pci]\ndevice_spec = {"address":{"bus":"${pattern}"}}\ndevice_spec = ${specs}`,
      ),
    })
    const host = describeHost(inventory)
    expect(host.pgpus[0]?.supportedTypes).toHaveLength(512)
    expect(host.findings.length + (host.pgpus[0]?.findings.length ?? 0)).toBeLessThan(1000)
  })
})
