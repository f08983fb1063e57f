import { expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'

type Vf = { type: number; instance?: number }
type SmiGpu = NvidiaSmi['gpus'][number]
const CARD = '0000:42:00.0'
const DC = 'NVIDIA RTX Pro 6000 Blackwell DC'
const NAMES: Record<number, string> = {
  1551: `${DC}-1-3Q`,
  1553: `${DC}-1-6Q`,
  1554: `${DC}-1-6A`,
  1561: `${DC}-1-24Q`,
}
const instance = (id: number, profile = '1g.24gb+gfx') => ({ id, profile, profileId: 47 })

/** A card with the vGPUs `vfs` and ten more VFs, which offer `offered`. */
const describeCard = (
  vfs: readonly Vf[],
  offered: readonly number[],
  smi: Partial<SmiGpu>,
  model = 'RTX PRO 6000',
) => {
  const creatable = offered.map((id) => `${id} : ${NAMES[id]}`)
  const all: Vf[] = [...vfs, ...Array.from({ length: 10 }, () => ({ type: 0 }))]
  const inventory = buildInventory({
    cards: [
      {
        address: CARD,
        modelName: `NVIDIA ${model} Blackwell Server Edition`,
        functions: all.map((vf, n) => ({
          address: `0000:42:${(n >> 3).toString(16).padStart(2, '0')}.${n & 7}`.replace(':00.0', ':1f.0'),
          vendorVfio: {
            currentType: vf.type,
            creatable: vf.type === 0 ? creatable : [],
            ...(vf.instance === undefined ? {} : { gpuInstanceId: vf.instance }),
          },
        })),
      },
    ],
    nvidiaSmi: {
      driverVersion: '580.105.06',
      gpus: [
        {
          address: CARD,
          name: null,
          uuid: null,
          framebufferMib: 97_887,
          migMode: 'enabled',
          heterogeneousMode: null,
          vgpuTypes: Object.entries(NAMES).map(([id, name]) => ({
            id: Number(id),
            name,
            framebufferMib: null,
            maxInstances: null,
            maxPerInstance: null,
            profileId: null,
          })),
          vgpus: [],
          ...smi,
        },
      ],
    },
  })
  return describeHost(inventory).pgpus[0]
}
const cardWith = (...card: Parameters<typeof describeCard>) => {
  const pgpu = describeCard(...card)
  return {
    capacity: pgpu?.numbers.capacity.value,
    creatable: Object.fromEntries(
      (pgpu?.supportedTypes ?? []).map(({ shortName, creatable: count }) => [shortName, count]),
    ),
  }
}

test('vGPUs of one size share an instance, those of another size need their own', () => {
  const vfs = [
    ...Array.from({ length: 8 }, () => ({ type: 1551, instance: 3 })),
    ...Array.from({ length: 2 }, () => ({ type: 1553, instance: 4 })),
  ]
  const card = cardWith(vfs, [1553, 1554], { gpuInstances: [instance(3), instance(4)] })
  expect(card).toEqual({ capacity: 10, creatable: { 'DC-1-3Q': 0, 'DC-1-6Q': 2, 'DC-1-6A': 2 } })
})

test('free instances count for each type that the driver offers', () => {
  const gpuInstances = [3, 4, 5, 6].map((id) => instance(id))
  const card = cardWith([{ type: 1561, instance: 3 }], [1551, 1553, 1561], { gpuInstances })
  expect(card).toEqual({ capacity: 4, creatable: { 'DC-1-3Q': 10, 'DC-1-6Q': 10, 'DC-1-24Q': 3 } })
})

test('a card whose only instance is taken is full at any maximum', () => {
  expect(cardWith([{ type: 1561, instance: 3 }], [], { gpuInstances: [instance(3)] })).toEqual({
    capacity: 1,
    creatable: { 'DC-1-24Q': 0 },
  })
})

test('without the instance of a vGPU, one size is counted and several are unknown', () => {
  const gpuInstances = [instance(3), instance(4)]
  expect(cardWith([{ type: 1553 }], [1553, 1551], { gpuInstances }).creatable).toEqual({
    'DC-1-3Q': null,
    'DC-1-6Q': 7,
  })
})

test('what the driver reports per instance and profile precedes the table', () => {
  const reported = { id: 1553, name: NAMES[1553] ?? null, framebufferMib: 6144, maxInstances: 4 }
  const smi = {
    gpuInstances: [instance(3), { ...instance(4, '1g.24gb'), profileId: 9 }],
    vgpuTypes: [{ ...reported, maxPerInstance: 2, profileId: 47 }],
  }
  expect(cardWith([{ type: 1553, instance: 3 }], [1553], smi, 'RTX PRO 5000').creatable).toEqual({
    'DC-1-6Q': 1,
  })
})

const heldIn = (card: ReturnType<typeof describeCard>) =>
  card?.mig?.groups.map(({ ids, vgpus, fits }) => ({
    ids,
    held: vgpus.map(({ typeName }) => typeName),
    fits: Object.fromEntries((fits ?? []).map(({ shortName, count }) => [shortName, count])),
  }))

test('the layout shows each instance with its vGPUs and what still fits', () => {
  const gpuInstances = [3, 4, 5].map((id) => instance(id))
  const vfs = [
    { type: 1551, instance: 3 },
    { type: 1551, instance: 3 },
    { type: 1561, instance: 5 },
  ]
  const card = describeCard(vfs, [1551, 1553], { gpuInstances })
  expect(card?.mig?.unplacedVgpus).toBe(0)
  expect(heldIn(card)).toEqual([
    { ids: [3], held: ['DC-1-3Q', 'DC-1-3Q'], fits: { 'DC-1-3Q': 6 } },
    { ids: [4], held: [], fits: { 'DC-1-3Q': 8, 'DC-1-6Q': 4, 'DC-1-24Q': 1 } },
    { ids: [5], held: ['DC-1-24Q'], fits: {} },
  ])
})

test('without the instance of a vGPU the layout shows one row per profile', () => {
  const gpuInstances = [instance(3), instance(4)]
  expect(heldIn(describeCard([{ type: 1553 }], [1551, 1553], { gpuInstances }))).toEqual([
    { ids: [3, 4], held: ['DC-1-6Q'], fits: { 'DC-1-6Q': 7 } },
  ])
})

test('there is no layout without MIG mode or a list of instances', () => {
  expect(describeCard([], [1551], { gpuInstances: null })?.mig).toBeNull()
  expect(describeCard([], [1551], { gpuInstances: [instance(3)], migMode: 'disabled' })?.mig).toBeNull()
})

test('without the type of a vGPU what still fits is unknown', () => {
  const card = describeCard([{ type: 9999 }], [1551, 1553], { gpuInstances: [instance(3), instance(4)] })
  expect(card?.mig).toMatchObject({ unplacedVgpus: 1, groups: [{ ids: [3, 4], fits: null }] })
  expect(card?.supportedTypes?.find(({ shortName }) => shortName === 'DC-1-6Q')?.creatable).toBeNull()
})

test('vGPUs of other profiles do not count against the maximum of a type', () => {
  const reported = (id: number, profileId: number, maxInstances: number) => ({
    id,
    name: NAMES[id] ?? null,
    framebufferMib: null,
    maxInstances,
    maxPerInstance: 1,
    profileId,
  })
  const smi = {
    gpuInstances: [...[3, 4, 5].map((id) => instance(id)), { id: 1, profile: '4g.96gb', profileId: 5 }],
    vgpuTypes: [reported(1553, 47, 4), reported(1561, 5, 1)],
  }
  const vfs = [3, 4, 5].map((id) => ({ type: 1553, instance: id }))
  expect(cardWith(vfs, [1561], smi).creatable).toMatchObject({ 'DC-1-24Q': 1 })
})
