import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import type { GpuModelName } from '@/simulator/gpu-models/gpu-models'
import { uuidFrom } from '@/simulator/random/uuid-from'
import { availableInstances, creatableTypes } from './availability'
import type { GpuState } from './gpu-state'
import { makeVgpu, removeVgpu } from './make-vgpu'

const MIG_PROFILES = ['1g.5gb', '1g.5gb', '2g.10gb', '3g.20gb']

const emptyState = (model: GpuModelName, sharing: GpuState['sharing'], isMig = false): GpuState => {
  const gpu = buildGpu({
    model,
    address: '0000:41:00.0',
    upstream: ['pci0000:40'],
    numaNode: 0,
    iommuGroup: 1,
    sharing,
    ...(isMig ? { migProfiles: MIG_PROFILES } : {}),
  })
  if (gpu.slicing === null) throw new Error(`${model} is not sliced`)
  return gpu.slicing.state
}

const states = fc.oneof(
  fc
    .record({
      model: fc.constantFrom<GpuModelName>('T4', 'V100', 'A2', 'A40', 'A100'),
      sharing: fc.constantFrom<GpuState['sharing']>('same-type', 'equal-size', 'mixed-size'),
    })
    .map(({ model, sharing }) => emptyState(model, sharing)),
  fc.constant(emptyState('A100', 'equal-size', true)),
)

/** Creations (by place of type and slot in their lists) and removals (by age), as anybody might write them. */
const writes = fc.array(
  fc.record({ kind: fc.constantFrom('make', 'make', 'make', 'remove'), at: fc.nat(), by: fc.nat() }),
  {
    maxLength: 60,
  },
)

const perform = (
  state: GpuState,
  write: { kind: string; at: number; by: number },
  index: number,
): GpuState => {
  if (write.kind === 'remove') {
    const vgpu = state.vgpus[write.at % Math.max(1, state.vgpus.length)]
    const outcome = vgpu === undefined ? null : removeVgpu(state, vgpu.uuid)
    return outcome?.isDone === true ? outcome.state : state
  }
  const typeId = state.types[write.by % state.types.length]?.typeId ?? ''
  const slot = state.slots[write.at % state.slots.length] ?? ''
  const outcome = makeVgpu(state, { uuid: uuidFrom(`write ${index}`), typeId, slot, iommuGroup: index })
  return outcome.isDone ? outcome.state : state
}

const typesInUse = (state: GpuState) =>
  state.vgpus.flatMap((vgpu) => state.types.filter((type) => type.typeId === vgpu.typeId))

const expectWithinLimits = (state: GpuState): void => {
  const inUse = typesInUse(state)
  const size = inUse.reduce((sum, type) => sum + type.framebufferMib, 0)
  expect(size).toBeLessThanOrEqual(state.framebufferMib)
  for (const type of inUse) {
    expect(inUse.filter((other) => other.typeId === type.typeId).length).toBeLessThanOrEqual(type.maxInstance)
  }
  if (state.isOnePerSlot) expect(new Set(state.vgpus.map((vgpu) => vgpu.slot)).size).toBe(state.vgpus.length)
  if (state.sharing === 'same-type' && state.gpuInstances === null) {
    expect(new Set(inUse.map((type) => type.typeId)).size).toBeLessThanOrEqual(1)
  }
  if (state.sharing === 'equal-size' && state.gpuInstances === null) {
    expect(new Set(inUse.map((type) => type.framebufferMib)).size).toBeLessThanOrEqual(1)
  }
  for (const profile of new Set(inUse.map((type) => type.migProfile))) {
    const backed = (state.gpuInstances ?? []).filter((instance) => instance.profile === profile).length
    const used = inUse.filter((type) => type.migProfile === profile).length
    if (profile !== null) expect(used).toBeLessThanOrEqual(backed)
  }
}

describe('any sequence of writes', () => {
  it('never exceeds framebuffer, maximum, slots, exclusivity or GPU instances', () => {
    fc.assert(
      fc.property(states, writes, (state, list) => {
        expectWithinLimits(list.reduce(perform, state))
      }),
      { numRuns: 150 },
    )
  })

  it('gives back by a removal exactly what the creation took', () => {
    fc.assert(
      fc.property(states, writes, fc.nat(), fc.nat(), (start, list, at, by) => {
        const state = list.reduce(perform, start)
        const slot = state.slots[at % state.slots.length] ?? ''
        const typeId = creatableTypes(state, slot)[by % 7]
        fc.pre(typeId !== undefined)
        const made = makeVgpu(state, { uuid: uuidFrom('last'), typeId: typeId ?? '', slot, iommuGroup: 1 })
        if (!made.isDone) throw new Error(`${typeId} was announced as creatable: ${made.reason}`)
        expect(removeVgpu(made.state, uuidFrom('last'))).toEqual({ isDone: true, state })
      }),
      { numRuns: 100 },
    )
  })

  it('makes what it announces and refuses the rest', () => {
    fc.assert(
      fc.property(states, writes, fc.nat(), fc.nat(), (start, list, at, by) => {
        const state = list.reduce(perform, start)
        const slot = state.slots[at % state.slots.length] ?? ''
        const typeId = state.types[by % state.types.length]?.typeId ?? ''
        const outcome = makeVgpu(state, { uuid: uuidFrom('one'), typeId, slot, iommuGroup: 1 })
        expect(outcome.isDone).toBe(availableInstances(state, slot, typeId) > 0)
      }),
      { numRuns: 150 },
    )
  })
})

/** Makes vGPUs of a type until the driver refuses. */
const fill = (start: GpuState, typeId: string): GpuState => {
  let state = start
  for (const slot of Array.from(
    { length: 40 },
    (_, index) => start.slots[index % start.slots.length] ?? '',
  )) {
    const outcome = makeVgpu(state, {
      uuid: uuidFrom(`${typeId} ${state.vgpus.length}`),
      typeId,
      slot,
      iommuGroup: 1,
    })
    if (outcome.isDone) state = outcome.state
  }
  return state
}

describe('a card that is filled', () => {
  it.each([
    ['T4', 'nvidia-222', 16],
    ['A40', 'nvidia-560', 12],
    ['A100', 'nvidia-468', 10],
    ['A40', 'nvidia-557', 32],
  ] as const)('%s holds as many %s as the driver reports', (model, typeId, count) => {
    const full = fill(emptyState(model, 'equal-size'), typeId)
    expect(full.vgpus).toHaveLength(count)
    expect(full.slots.map((slot) => availableInstances(full, slot, typeId)).every((left) => left === 0)).toBe(
      true,
    )
  })

  it('takes only the GPU instances of the profile that backs a type', () => {
    expect(fill(emptyState('A100', 'equal-size', true), 'nvidia-474').vgpus).toHaveLength(2)
    expect(fill(emptyState('A100', 'equal-size', true), 'nvidia-468').vgpus).toHaveLength(0)
  })

  it('mixes sizes when it may', () => {
    const half = fill(emptyState('A40', 'mixed-size'), 'nvidia-565')
    expect(half.vgpus).toHaveLength(2)
    const one = removeVgpu(half, half.vgpus[0]?.uuid ?? '')
    if (!one.isDone) throw new Error(one.reason)
    expect(fill(one.state, 'nvidia-560').vgpus).toHaveLength(1 + 6)
  })
})

it.each([
  ['EINVAL', { typeId: 'nvidia-1', slot: '0000:41:00.4' }],
  ['ENODEV', { typeId: 'nvidia-468', slot: '0000:41:00.0' }],
  ['ENOSPC', { typeId: 'nvidia-469', slot: '0000:41:00.5' }],
  ['EEXIST', { typeId: 'nvidia-468', slot: '0000:41:00.5', uuid: uuidFrom('first') }],
])('refuses with %s', (errno, write) => {
  const first = { uuid: uuidFrom('first'), typeId: 'nvidia-468', slot: '0000:41:00.4', iommuGroup: 1 }
  const state = { ...emptyState('A100', 'equal-size'), vgpus: [first] }
  expect(makeVgpu(state, { uuid: uuidFrom('second'), iommuGroup: 2, ...write })).toMatchObject({
    isDone: false,
    errno,
  })
})
