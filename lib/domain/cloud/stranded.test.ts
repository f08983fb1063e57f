import { expect, test } from 'vitest'
import { gpuRoom } from '@/lib/domain/fence/gpu-room'
import { editList, findOne } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, inventoryOf, mdevProvider } from '@/lib/domain/testing/build-cloud'
import { K40C_CONF, k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import type { FleetFacts } from './fleet-types'
import { joinFleet } from './join-fleet'
import { pciProviderName } from './provider-name'
import { strandedOf } from './stranded'

const CARD = '0000:c8:00.0'
const VFS = [4, 5, 6].map((n) => `0000:c8:00.${n}`)

const CONF = [
  K40C_CONF,
  '[pci]',
  ...VFS.map(
    (address) =>
      `device_spec = {"vendor_id": "10de", "address": "${address}", "managed": "no", "resource_class": "CUSTOM_L40S_16Q"}`,
  ),
  'alias = {"name": "l40s-16q", "resource_class": "CUSTOM_L40S_16Q", "device_type": "type-VF"}',
].join('\n')

const L40S_FLAVOR = buildFlavor({
  name: 'vgpu.l40s-16q',
  memoryMib: 8192,
  extraSpecs: { 'pci_passthrough:alias': 'l40s-16q:1' },
})

/** An L40S for three L40S-16Q by vendor VFIO: some of its listed VFs have the type, one could get it. */
const l40sCloud = ({
  typed,
  flavors = [L40S_FLAVOR],
}: {
  typed: number
  flavors?: (typeof L40S_FLAVOR)[]
}): FleetFacts => {
  const input = k40cCloud({
    novaConf: CONF,
    api: CONF,
    flavors,
    cards: [
      {
        address: CARD,
        deviceId: '26b9',
        modelName: 'NVIDIA L40S',
        functions: VFS.map((address, place) => ({
          address,
          vendorVfio: {
            currentType: place < typed ? 1154 : 0,
            creatable: place < typed ? [] : ['1154  : NVIDIA L40S-16Q'],
          },
        })),
      },
    ],
  })
  const [root] = input.facts.providers.value ?? []
  if (root === undefined) throw new Error('the cloud has a compute node')
  const provider = mdevProvider(root, {
    address: CARD,
    n: 1,
    name: pciProviderName({ hypervisorHostname: root.name, address: CARD }),
    inventories: { CUSTOM_L40S_16Q: inventoryOf(3, 0) },
  })
  return {
    ...input,
    facts: {
      ...input.facts,
      providers: { ...input.facts.providers, value: [root, provider] },
    } as FleetFacts['facts'],
  }
}

const strandedIn = (input: FleetFacts) => {
  const fleet = joinFleet(input)
  const [joined] = fleet.hosts
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === CARD)
  if (joined === undefined || entry === undefined) throw new Error('the cloud has a card')
  return strandedOf(fleet, joined, entry)
}

const withoutRoom = (input: FleetFacts): FleetFacts =>
  editList(input, 'providers', (provider) =>
    provider.parentUuid === null
      ? { ...provider, inventories: { ...provider.inventories, MEMORY_MB: inventoryOf(65_536, 57_344) } }
      : provider,
  )

test('VFs with a type are within reach of a flavor that names their alias', () => {
  expect(strandedIn(l40sCloud({ typed: 3 }))).toMatchObject({ value: 0, because: null })
})

test('VFs without a type are out of reach, whatever Placement offers', () => {
  const input = l40sCloud({ typed: 2 })
  expect(strandedIn(input)).toMatchObject({ value: 1, because: 'their VFs have no vGPU type yet' })
  expect(findOne(input, 'vgpus-stranded')).toMatchObject({
    sentence: '1 free vGPU is out of reach: their VFs have no vGPU type yet',
    command: `echo 1154 > /sys/bus/pci/devices/${VFS[2]}/nvidia/current_vgpu_type`,
    blame: 'hardware',
  })
})

test('no flavor names their alias, or the host has no memory beside them', () => {
  expect(strandedIn(l40sCloud({ typed: 3, flavors: [] }))).toMatchObject({
    value: 3,
    because: 'no flavor asks for them',
  })
  expect(strandedIn(withoutRoom(l40sCloud({ typed: 3 })))).toMatchObject({
    value: 2,
    because: 'the host has no CPU, memory or disk left beside them',
  })
})

test('the room panel says which free vGPUs no server gets', () => {
  const fleet = joinFleet(l40sCloud({ typed: 2 }))
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('the cloud has a host')
  expect(gpuRoom(fleet, joined)).toMatchObject({
    state: 'partly',
    because:
      '1 of 3 free vGPUs lies on a VF without a vGPU type, so no server gets it; CPU, memory and disk are there for every one',
    flavors: [{ name: 'vgpu.l40s-16q', byGpus: 2 }],
  })
})
