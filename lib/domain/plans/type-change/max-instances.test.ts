import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { editHosts, editNovaConf } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { vfOf } from '@/lib/domain/testing/offers'
import { type HostLayout, layoutNow, parentsOfPgpu } from '../host-steps/host-layout'
import { planTypeChange } from './plan-type-change'

const [A, B, C, D] = ['0000:20:00.0', '0000:21:00.0', '0000:22:00.0', '0000:23:00.0'] as const

/** Two A40 with 32 VFs each and two T4, nothing on them. */
const mixedHost = (conf: string) =>
  editNovaConf(
    buildHealthyCloud([
      {
        cards: (['A40', 'A40', 'T4', 'T4'] as const).map((kind) => ({ kind, used: 0, spare: 0 })),
        hasDomain: false,
      },
    ]),
    conf,
  )

const vfs = (address: string, count: number): string =>
  Array.from({ length: count }, (_, index) => vfOf(address, index)).join(',')

type Types = Readonly<Record<string, { addresses: string; max?: number }>>

const confOf = (types: Types): string =>
  [
    '[devices]',
    `enabled_mdev_types = ${Object.keys(types).join(', ')}`,
    ...Object.entries(types).flatMap(([typeId, { addresses, max }]) => [
      `[mdev_${typeId}]`,
      `device_addresses = ${addresses}`,
      ...(max === undefined ? [] : [`max_instances = ${max}`]),
    ]),
  ].join('\n')

/**
 * Nova's totals of an empty host by parent, in an order of libvirt's: what a parent can make counts while the type's
 * max_instances is not passed, and a parent that would pass it gets 0 (nova/virt/libvirt/driver.py _get_gpu_inventories).
 */
const novaTotals = (joined: JoinedHost, layout: HostLayout, order: readonly string[]) => {
  const typeOf = new Map(layout.parents.map(({ address, typeId }) => [address, typeId]))
  const counted = new Map<string, number>()
  const totals = new Map<string, number>()
  for (const address of order) {
    const typeId = typeOf.get(address) ?? null
    const card = joined.pgpus.find(({ functions }) => functions.includes(address))
    const capacity = card?.pgpu.supportedTypes?.find((type) => type.typeId === typeId)?.maxInstance ?? null
    if (typeId === null || card === undefined || capacity === null) continue
    const available = parentsOfPgpu(joined, card.pgpu.address).length > 1 ? 1 : capacity
    const sum = (counted.get(typeId) ?? 0) + available
    const max = layout.types.find((type) => type.typeId === typeId)?.maxInstances ?? null
    if (max !== null && sum > max) continue
    counted.set(typeId, sum)
    totals.set(address, available)
  }
  return (card: string) =>
    parentsOfPgpu(joined, card).reduce((sum, address) => sum + (totals.get(address) ?? 0), 0)
}

const CASES: readonly {
  name: string
  types: Types
  target: string
  typeId: string
  /** max_instances by type afterwards; null: none. */
  bounds: Readonly<Record<string, number | null>>
}[] = [
  {
    name: 'one of two A40 leaves a bounded type',
    types: { 'nvidia-560': { addresses: `${vfs(A, 12)},${vfs(B, 12)}`, max: 24 } },
    target: A,
    typeId: 'nvidia-562',
    bounds: { 'nvidia-560': 12, 'nvidia-562': 6 },
  },
  {
    name: 'one of two A40 leaves an unbounded type',
    types: { 'nvidia-560': { addresses: `${vfs(A, 12)},${vfs(B, 12)}` } },
    target: A,
    typeId: 'nvidia-562',
    bounds: { 'nvidia-560': null, 'nvidia-562': 6 },
  },
  {
    name: 'a second A40 comes to a bounded type',
    types: {
      'nvidia-562': { addresses: vfs(A, 6), max: 6 },
      'nvidia-560': { addresses: vfs(B, 12), max: 12 },
    },
    target: A,
    typeId: 'nvidia-560',
    bounds: { 'nvidia-560': 24 },
  },
  {
    name: 'a second A40 comes to a type whose bound alone keeps the VFs of the first in check',
    types: {
      'nvidia-562': { addresses: vfs(A, 6), max: 6 },
      'nvidia-560': { addresses: vfs(B, 32), max: 12 },
    },
    target: A,
    typeId: 'nvidia-560',
    bounds: { 'nvidia-560': 24 },
  },
  {
    name: 'a second A40 comes to a type of which the first has more VFs than vGPUs, and no bound',
    types: { 'nvidia-562': { addresses: vfs(A, 6) }, 'nvidia-560': { addresses: vfs(B, 32) } },
    target: A,
    typeId: 'nvidia-560',
    bounds: { 'nvidia-560': null },
  },
  {
    name: 'one of two T4 leaves a bounded type',
    types: { 'nvidia-319': { addresses: `${C},${D}`, max: 8 } },
    target: C,
    typeId: 'nvidia-320',
    bounds: { 'nvidia-319': 4, 'nvidia-320': null },
  },
  {
    name: 'a second T4 comes to a bounded type',
    types: { 'nvidia-320': { addresses: C, max: 2 }, 'nvidia-319': { addresses: D, max: 4 } },
    target: C,
    typeId: 'nvidia-319',
    bounds: { 'nvidia-319': 8 },
  },
  {
    name: 'a bound that was meant for each pGPU and dropped one of two',
    types: { 'nvidia-319': { addresses: `${C},${D}`, max: 4 } },
    target: C,
    typeId: 'nvidia-320',
    bounds: { 'nvidia-319': 4, 'nvidia-320': null },
  },
  {
    name: 'types of other models stay as they are, with bounds that an admin chose',
    types: {
      'nvidia-560': { addresses: `${vfs(A, 12)},${vfs(B, 12)}`, max: 24 },
      'nvidia-319': { addresses: `${C},${D}`, max: 100 },
    },
    target: B,
    typeId: 'nvidia-562',
    bounds: { 'nvidia-560': 12, 'nvidia-562': 6, 'nvidia-319': 100 },
  },
]

describe.each(CASES)('max_instances: $name', ({ types, target, typeId, bounds }) => {
  const input = mixedHost(confOf(types))
  const fleet = joinFleet(input)
  const [joined] = fleet.hosts
  const { steps, refusals } = planTypeChange(fleet, {
    gpus: [{ host: 'cmp-1', address: target }],
    typeId,
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held: [],
  })
  const task = steps.flatMap((step) => (step.task.kind === 'write-config' ? [step.task] : []))[0]
  const verify = steps.flatMap((step) => (step.task.kind === 'verify-pgpu' ? [step.task] : []))[0]

  it('is the total of its type on the host', () => {
    expect(refusals).toEqual([])
    expect(
      Object.fromEntries((task?.after.types ?? []).map((type) => [type.typeId, type.maxInstances])),
    ).toEqual(bounds)
  })

  it('gives the target the planned mdevs and takes none from other pGPUs, in any order that libvirt lists', () => {
    if (joined === undefined || task === undefined) throw new Error('nothing was planned')
    const before = layoutNow(joined)
    if (before === null) throw new Error('nova.conf could not be read')
    const parents = task.after.parents.map(({ address }) => address)
    const everyOrder = fc.shuffledSubarray(parents, { minLength: parents.length })
    fc.assert(
      fc.property(everyOrder, (order) => {
        const [was, is] = [novaTotals(joined, before, order), novaTotals(joined, task.after, order)]
        expect(is(target)).toBe(verify?.total)
        for (const { pgpu } of joined.pgpus)
          if (pgpu.address !== target) expect(is(pgpu.address)).toBeGreaterThanOrEqual(was(pgpu.address))
      }),
      { numRuns: 60 },
    )
  })
})

it('control: a bound that is one too low drops pGPUs, and it is seen', () => {
  const input = mixedHost(confOf({ 'nvidia-319': { addresses: `${C},${D}`, max: 8 } }))
  const [joined] = joinFleet(input).hosts
  const layout = joined === undefined ? null : layoutNow(joined)
  if (joined === undefined || layout === null) throw new Error('nova.conf could not be read')
  const low = { ...layout, types: layout.types.map((type) => ({ ...type, maxInstances: 7 })) }
  const order = layout.parents.map(({ address }) => address)
  expect(novaTotals(joined, layout, order)(D)).toBe(4)
  expect(novaTotals(joined, low, order)(D)).toBe(0)
})

it.each([
  ['28.1.0', null],
  ['29.2.0', 6],
  [null, 6],
])('nova-compute %s in a cloud with an API of 2025.1 gets the bound %s', (version, bound) => {
  const novaCompute = { startedAt: '2026-11-20T08:00:00Z', version }
  const input = editHosts(
    mixedHost(confOf({ 'nvidia-560': { addresses: `${vfs(A, 12)},${vfs(B, 12)}` } })),
    (inventory) => ({ ...inventory, host: { ...inventory.host, novaCompute } }),
  )
  const { steps, typeChange } = planTypeChange(joinFleet(input), {
    gpus: [{ host: 'cmp-1', address: A }],
    typeId: 'nvidia-562',
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held: [],
  })
  const task = steps.flatMap((step) => (step.task.kind === 'write-config' ? [step.task] : []))[0]
  expect(task?.after.types.find(({ typeId }) => typeId === 'nvidia-562')?.maxInstances).toBe(bound)
  expect(typeChange?.configs.filter(({ problem }) => problem !== null)).toEqual([])
})
