import { describe, expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { buildFlavor, silentPart } from '@/lib/domain/testing/build-cloud'
import { GPU_FLAVOR, type K40cCloud, k40cCloud, PLAIN_FLAVOR } from '@/lib/domain/testing/k40c-cloud'
import { gpuHeadroom } from './gpu-headroom'

const headroomOf = (cloud: K40cCloud) => {
  const fleet = joinFleet(k40cCloud(cloud))
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('the cloud has a host')
  return gpuHeadroom(fleet, joined)
}

describe('the headroom of a host with a free card', () => {
  test('is enough while ordinary servers leave some', () => {
    expect(headroomOf({ ordinary: 3 })).toMatchObject({
      state: 'fine',
      freeCards: { value: 1 },
      freeVgpus: { value: 0 },
      flavors: [{ id: 'g1', byGpus: 1, byHeadroom: 24, short: [] }],
    })
  })

  test('is at risk when one more server like those there would take it', () => {
    expect(headroomOf({ ordinary: 14 })).toMatchObject({
      state: 'tight',
      because: 'one more server of m1.large, the most common flavor there, would strand the last GPU',
      ordinary: { name: 'm1.large', count: 14 },
    })
    expect(headroomOf({ ordinary: 13 }).state).toBe('fine')
  })

  test('is none when no GPU server can start, and states what is short', () => {
    const headroom = headroomOf({ ordinary: 15 })
    expect(headroom).toMatchObject({
      state: 'starved',
      flavors: [{ byGpus: 1, byHeadroom: 0, short: ['MEMORY_MB'] }],
    })
    expect(headroom.because).toBe('too little memory is free for a server of g1.gpu with the 1 free card')
  })

  test('is not judged while the card is in use', () => {
    expect(headroomOf({ ordinary: 15, isCardUsed: true }).state).toBe('used')
  })

  test('goes by pinned CPUs where the flavor requests them', () => {
    const pinned = buildFlavor({
      ...GPU_FLAVOR,
      extraSpecs: { ...GPU_FLAVOR.extraSpecs, 'hw:cpu_policy': 'dedicated' },
    })
    expect(headroomOf({ flavors: [pinned, PLAIN_FLAVOR] })).toMatchObject({
      state: 'starved',
      flavors: [{ short: ['PCPU'] }],
    })
  })

  test('counts no server that requests more than Placement gives one, however much is free', () => {
    const wide = buildFlavor({ ...GPU_FLAVOR, vcpus: 24 })
    expect(headroomOf({ flavors: [wide, PLAIN_FLAVOR] })).toMatchObject({
      state: 'starved',
      because:
        'a server can have at most 23 of VCPU here, and g1.gpu requests 24 in addition to the 1 free card',
      flavors: [{ byGpus: 1, byHeadroom: 0, short: ['VCPU'] }],
    })
    expect(headroomOf({ flavors: [{ ...wide, vcpus: 23 }, PLAIN_FLAVOR] }).state).toBe('fine')
  })

  test('uses the CPUs that the agent reports if Placement does not report the maximum of a server', () => {
    const input = k40cCloud({ flavors: [buildFlavor({ ...GPU_FLAVOR, vcpus: 24 }), PLAIN_FLAVOR] })
    const fleet = joinFleet(input)
    const [joined] = fleet.hosts
    if (joined?.root.state !== 'matched') throw new Error('the host has a root provider')
    const { value } = joined.root
    const [vcpu] = Object.entries(value.inventories ?? {}).filter(([name]) => name === 'VCPU')
    if (vcpu === undefined) throw new Error('the host has VCPU')
    const inventories = { ...value.inventories, VCPU: { ...vcpu[1], maxUnit: null } }
    const host = { ...joined, root: { ...joined.root, value: { ...value, inventories } } }
    expect(gpuHeadroom(fleet, host)).toMatchObject({ state: 'starved', flavors: [{ short: ['VCPU'] }] })
  })

  test('is not needed if no flavor names the alias of the card', () => {
    expect(headroomOf({ flavors: [PLAIN_FLAVOR] }).state).toBe('unasked')
    const other = buildFlavor({ ...GPU_FLAVOR, extraSpecs: { 'pci_passthrough:alias': 'other:1' } })
    expect(headroomOf({ flavors: [other] }).state).toBe('unasked')
  })
})

test.each([
  ['aggregate_instance_extra_specs:gpu', 'true', 'none of its aggregates has gpu=true'],
  ['trait:CUSTOM_GPU_HOST', 'required', 'its compute node has no trait CUSTOM_GPU_HOST'],
])('a flavor whose servers may not come to the host gets no room there: %s', (key, value, because) => {
  const shut = buildFlavor({ ...GPU_FLAVOR, extraSpecs: { ...GPU_FLAVOR.extraSpecs, [key]: value } })
  expect(headroomOf({ flavors: [shut, PLAIN_FLAVOR] })).toMatchObject({
    state: 'unasked',
    because: `g1.gpu requests the 1 free card, but cannot be scheduled here: ${because}`,
    flavors: [{ byGpus: 1, byHeadroom: 0, shutOut: because }],
  })
  const open = { ...GPU_FLAVOR, id: 'g2', memoryMib: 8192 }
  expect(headroomOf({ flavors: [shut, open, PLAIN_FLAVOR] })).toMatchObject({
    state: 'fine',
    flavors: [{ id: 'g2', shutOut: null }, { id: 'g1' }],
  })
})

test('is not known without Nova’s servers', () => {
  const input = k40cCloud({ ordinary: 15 })
  const fleet = joinFleet({ ...input, facts: { ...input.facts, servers: silentPart() } })
  const [joined] = fleet.hosts
  expect(joined === undefined ? null : gpuHeadroom(fleet, joined)).toMatchObject({
    state: 'unknown',
    because: "Nova's servers could not be read: connection refused",
  })
})
