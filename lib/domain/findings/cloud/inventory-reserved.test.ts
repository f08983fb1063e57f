import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { pciProviderName } from '@/lib/domain/cloud/provider-name'
import type { ProviderInventory } from '@/lib/domain/cloud/types'
import { flavorQuestion } from '@/lib/domain/fit/explain-fit'
import { explainFit } from '@/lib/domain/fit/testing/fit-at-once'
import { WAITING_FOR_CLEANING } from '@/lib/domain/fleet/stranded-reasons'
import { detect, editGpuProviders, findOne, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { inventoryOf, mdevProvider, readPart } from '@/lib/domain/testing/build-cloud'
import { GPU_FLAVOR, k40cCloud } from '@/lib/domain/testing/k40c-cloud'

const CONF = `[pci]
report_in_placement = True
device_spec = {"vendor_id":"10de","product_id":"1024","one_time_use":"true"}
alias = {"name":"gpu","vendor_id":"10de","product_id":"1024","device_type":"type-PCI"}
[filter_scheduler]
pci_in_placement = True`
const CARD = '0000:86:00.0'

/** A K40c as a one-time-use device. */
const oneTimeUse = (inventory: ProviderInventory, isCardUsed: boolean) => {
  const input = k40cCloud({ novaConf: CONF, api: CONF, nova: '2.103', isCardUsed })
  const [root] = input.facts.providers.value ?? []
  if (root === undefined) throw new Error('the cloud has a compute node')
  const provider = mdevProvider(root, {
    address: CARD,
    n: 1,
    name: pciProviderName({ hypervisorHostname: root.name, address: CARD }),
    inventories: { CUSTOM_PCI_10DE_1024: inventory },
    traits: ['COMPUTE_MANAGED_PCI_DEVICE', 'HW_PCI_ONE_TIME_USE', 'OWNER_NOVA'],
  })
  return withFacts(input, { providers: readPart([root, provider]) })
}
const burned = (used: number): ProviderInventory => ({ ...inventoryOf(1, used), capacity: 0, reserved: 1 })
const codes = (input: Parameters<typeof detect>[0]) => detect(input).findings.map(({ code }) => code)
const fitOf = (input: Parameters<typeof detect>[0]) =>
  explainFit(joinFleet(input), flavorQuestion(GPU_FLAVOR)).hosts[0]

// Source: nova doc/source/admin/pci-passthrough.rst "One-Time-Use Devices" (32.0.0).
it('a used one-time-use device waits for cleaning, is blocked, and is released by one command', () => {
  const input = oneTimeUse(burned(0), false)
  const uuid = input.facts.providers.value?.[1]?.uuid ?? ''
  expect(findOne(input, 'device-waits-for-cleaning')).toMatchObject({
    severity: 'warning',
    sentence: 'the device was used once and is waiting for cleaning: 1 of 1 reserved',
    command: `openstack resource provider inventory set --amend --resource CUSTOM_PCI_10DE_1024:reserved=0 ${uuid}`,
  })
  expect(codes(input)).not.toContain('inventory-reserved')
  const fit = fitOf(input)
  expect(fit?.fits.value).toBe(0)
  expect(fit?.pgpus[0]?.blockers.map(({ because }) => because)).toEqual([WAITING_FOR_CLEANING])
})

it('while its server runs, reserved = total is right', () => {
  const found = codes(oneTimeUse(burned(1), true))
  expect(found).not.toContain('device-waits-for-cleaning')
  expect(found).not.toContain('inventory-reserved')
})

it('a released device is free', () => {
  const input = oneTimeUse(inventoryOf(1, 0), false)
  expect(codes(input)).not.toContain('device-waits-for-cleaning')
  expect(fitOf(input)?.fits.value).toBe(1)
})

// Source: nova/virt/libvirt/driver.py _get_gpu_inventories writes reserved 0.
it('names what is reserved of an mdev inventory', () => {
  const input = editGpuProviders(t4Cloud(), (provider) => ({
    ...provider,
    inventories: { VGPU: { ...inventoryOf(4, 2), capacity: 3, reserved: 1 } },
  }))
  expect(findOne(input, 'inventory-reserved')).toMatchObject({
    sentence: 'Placement reserves 1 of 4 VGPU',
    consequence: 'The scheduler assigns at most 3 of 4.',
    sourceToCorrect: 'placement',
  })
})
