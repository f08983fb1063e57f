import { expect, test } from 'vitest'
import { pciProviderName } from '@/lib/domain/cloud/provider-name'
import type { Flavor } from '@/lib/domain/cloud/types'
import { detect, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, inventoryOf, mdevProvider, readPart } from '@/lib/domain/testing/build-cloud'
import { GPU_FLAVOR, k40cCloud } from '@/lib/domain/testing/k40c-cloud'

const confOf = (named: boolean): string => `[pci]
report_in_placement = True
device_spec = {"vendor_id":"10de","product_id":"1024"${named ? ',"resource_class":"CUSTOM_K40C"' : ''}}
alias = {"name":"gpu","vendor_id":"10de","product_id":"1024"${named ? ',"resource_class":"CUSTOM_K40C"' : ''},"device_type":"type-PCI"}
[filter_scheduler]
pci_in_placement = True`

/** A K40c whose provider Nova reports, as the documentation of PCI tracking in Placement configures it. */
const cloud = ({
  named = true,
  flavors = [GPU_FLAVOR],
  api = true,
}: {
  named?: boolean
  flavors?: Flavor[]
  api?: boolean
}) => {
  const conf = confOf(named)
  const input = k40cCloud({ novaConf: conf, ...(api ? { api: conf } : {}), flavors, nova: '2.103' })
  const [root] = input.facts.providers.value ?? []
  if (root === undefined) throw new Error('the cloud has a compute node')
  const provider = mdevProvider(root, {
    address: '0000:86:00.0',
    n: 1,
    name: pciProviderName({ hypervisorHostname: root.name, address: '0000:86:00.0' }),
    inventories: { [named ? 'CUSTOM_K40C' : 'CUSTOM_PCI_10DE_1024']: inventoryOf(1, 0) },
    traits: ['COMPUTE_MANAGED_PCI_DEVICE'],
  })
  return withFacts(input, { providers: readPart([root, provider]) })
}

/** Open wherever a flavor has an alias: no API exposes the scheduler's filters. */
const NOTE = 'flavor-needs-filter'
const codes = (input: ReturnType<typeof cloud>) => detect(input).findings.map(({ code }) => code)

// doc/source/admin/pci-passthrough.rst, "PCI tracking in Placement".
test.each([true, false])('the documented configuration has no finding (class named: %s)', (named) => {
  expect(codes(cloud({ named })).filter((code) => code !== NOTE)).toEqual([])
})

test('nothing is reported as unusable where the alias of the API is not known', () => {
  expect(codes(cloud({ api: false }))).toEqual([NOTE])
})

// nova/pci/request.py get_pci_requests_from_flavor: only pci_passthrough:alias attaches PCI devices.
test('a flavor by the class of a PCI device is an error, and does not make the card reachable', () => {
  const byClass = buildFlavor({ id: 'c1', name: 'g1.byclass', extraSpecs: { 'resources:CUSTOM_K40C': '1' } })
  const { findings } = detect(cloud({ flavors: [byClass] }))
  expect(findings.find(({ code }) => code === 'flavor-class-without-device')).toMatchObject({
    severity: 'error',
    nextStep: expect.stringContaining('pci_passthrough:alias'),
  })
  expect(findings.find(({ code }) => code === 'vgpus-stranded')).toMatchObject({
    nextStep: expect.stringContaining('pci_passthrough:alias'),
  })
})

// nova/objects/request_spec.py generate_request_groups_from_pci_requests: ids alone request CUSTOM_PCI_10DE_1024.
test('an alias by ids alone reaches no card of a named class', () => {
  const conf = confOf(true).replace(',"resource_class":"CUSTOM_K40C","device_type"', ',"device_type"')
  const base = cloud({})
  const input = { ...k40cCloud({ novaConf: conf, api: conf, nova: '2.103' }), facts: base.facts }
  expect(codes(input)).toContain('vgpus-stranded')
})
