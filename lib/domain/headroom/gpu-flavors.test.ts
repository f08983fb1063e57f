import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { serversByGpus } from './gpu-flavors'

const FIRST = '0000:20:00.4'
const SECOND = '0000:20:00.5'

const specOf = (address: string, resourceClass: string): string =>
  `device_spec = {"vendor_id": "10de", "address": "${address}", "resource_class": "${resourceClass}", "managed": "no"}`

const ALIAS = 'alias = {"name": "a", "resource_class": "CUSTOM_A", "device_type": "type-VF"}'

/** A card sliced by vendor VFIO, whose VFs servers get by an alias of their class. */
const fleetWith = (secondClass: string) =>
  joinFleet(
    editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      host: {
        ...inventory.host,
        novaApi: novaConf(`[filter_scheduler]\npci_in_placement = True\n[pci]\n${ALIAS}`),
      },
      mdevs: [],
      guests: [],
      gpus: inventory.gpus.map((gpu) => ({
        ...gpu,
        mdevTypes: null,
        sriov: { totalVfs: 2, enabledVfs: 2 },
        virtualFunctions: [FIRST, SECOND].map((address) => ({
          address,
          driver: 'nvidia',
          iommuGroup: null,
          mdevTypes: null,
          vendorVfio: {
            currentType: 1152,
            creatable: [],
            params: null,
          },
        })),
      })),
      novaConfig: novaConf(
        [
          '[pci]',
          'report_in_placement = True',
          specOf(FIRST, 'CUSTOM_A'),
          specOf(SECOND, secondClass),
          ALIAS,
        ].join('\n'),
      ),
    })),
  )

const servers = (alias: string, secondClass = 'CUSTOM_A') => {
  const fleet = fleetWith(secondClass)
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('the cloud has a host')
  const flavor = buildFlavor({ name: 'vf', extraSpecs: { 'pci_passthrough:alias': alias } })
  return serversByGpus(fleet, joined, flavor)?.value ?? null
}

test('VFs with a vGPU count for the alias of their class, each alone', () => {
  expect(servers('a:1')).toBe(2)
  expect(servers('a:2')).toBe(1)
  expect(servers('a:1', 'CUSTOM_B')).toBe(1)
})

test('an alias that takes none of them is none of the host’s', () => {
  expect(servers('b:1')).toBeNull()
})

test('the devices of a host are counted once for all flavors with the same alias', () => {
  const fleet = fleetWith('CUSTOM_A')
  const [joined] = fleet.hosts
  if (joined === undefined) throw new Error('the cloud has a host')
  let reads = 0
  const inventory = new Proxy(joined.host.inventory, {
    get: (target, key) => {
      if (key === 'guests') reads += 1
      return Reflect.get(target, key)
    },
  })
  const counted = { ...joined, host: { ...joined.host, inventory } }
  const values = Array.from({ length: 50 }, (_, vcpus) =>
    serversByGpus(
      fleet,
      counted,
      buildFlavor({ name: 'vf', vcpus, extraSpecs: { 'pci_passthrough:alias': 'a:1' } }),
    ),
  )
  expect(values.map((each) => each?.value)).toEqual(values.map(() => 2))
  expect(reads).toBe(2)
})
