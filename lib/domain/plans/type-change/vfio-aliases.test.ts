import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, withFacts } from '@/lib/domain/testing/break-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { L40S, L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { planTypeChange } from './plan-type-change'

const CREATABLE = ['1154  : NVIDIA L40S-16Q', '1155  : NVIDIA L40S-24Q']
const ALIAS_16Q =
  'alias = {"name": "l40s-16q", "vendor_id": "10de", "product_id": "26b9", "resource_class": "CUSTOM_L40S_16Q", "device_type": "type-VF"}'
const ON = '[filter_scheduler]\npci_in_placement = True'

type Cloud = {
  aliases: readonly string[]
  api?: readonly string[]
  nova?: string
  typed?: number
  named?: boolean
  tail?: string
}

const planOf = ({ aliases, api = aliases, nova = '2.100', typed = 0, named = true, tail = '' }: Cloud) => {
  const confOf = (lines: readonly string[]) =>
    [
      '[pci]',
      'report_in_placement = True',
      ...L40S_VFS.map(
        (address) =>
          `device_spec = {"vendor_id": "10de", "address": "${address}", "managed": "no"${named ? ', "resource_class": "CUSTOM_L40S_16Q"' : ''}}`,
      ),
      ...lines,
      tail,
    ].join('\n')
  const input = editHosts(l40sCloud({ typed }), (inventory) => ({
    ...inventory,
    novaConfig: novaConf(confOf(aliases)),
    host: { ...inventory.host, novaApi: { ...novaConf(confOf(api)), files: ['/etc/nova/nova.conf'] } },
    gpus: inventory.gpus.map((gpu) =>
      gpu.address !== L40S
        ? gpu
        : {
            ...gpu,
            virtualFunctions: gpu.virtualFunctions.map((vf) => ({
              ...vf,
              vendorVfio:
                vf.vendorVfio === null
                  ? null
                  : { ...vf.vendorVfio, currentType: typed > 0 ? 1154 : 0, creatable: CREATABLE },
            })),
          },
    ),
  }))
  return planTypeChange(
    joinFleet(withFacts(input, { versions: { nova, placement: '1.39', keystone: '3.14' } })),
    {
      gpus: [{ host: 'hyper18', address: L40S }],
      typeId: 'nvidia-1155',
      resourceClass: null,
      traitRule: null,
      isFlavorLossAccepted: true,
      held: [],
      keepTraits: false,
      testBoot: null,
    } as unknown as Parameters<typeof planTypeChange>[1],
  )
}

const aliasLines = (plan: ReturnType<typeof planOf>): string[] =>
  (plan.typeChange?.configs ?? []).flatMap(({ texts }) =>
    texts.flatMap(({ text }) => text.split('\n').filter((line) => /^alias = .*24q/i.test(line))),
  )

// nova/pci/request.py _validate_required_ids (bug 2111440): nova-api and nova-compute refuse an alias without ids.
test('a new alias has both ids and the class, whether or not the host has an alias to copy', () => {
  for (const plan of [planOf({ aliases: [ALIAS_16Q] }), planOf({ aliases: [] })]) {
    const lines = aliasLines(plan)
    expect(plan.refusals).toEqual([])
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines)
      expect(JSON.parse(line.replace('alias = ', ''))).toMatchObject({
        vendor_id: '10de',
        product_id: '26b9',
        resource_class: 'CUSTOM_L40S_24Q',
        device_type: 'type-VF',
      })
  }
})

// nova/pci/request.py _ALIAS_SCHEMA of 26.2 has no resource_class.
test('Nova 26 gets an alias without a class', () => {
  const [line] = aliasLines(planOf({ aliases: [], nova: '2.93' }))
  expect(line).toContain('"product_id": "26b9"')
  expect(line).not.toContain('resource_class')
})

test('an alias that Nova refuses stops the plan before nova-compute is restarted', () => {
  const bare = 'alias = {"name": "other", "resource_class": "CUSTOM_OTHER", "device_type": "type-VF"}'
  const { refusals, steps } = planOf({ aliases: [bare, ALIAS_16Q], api: [ALIAS_16Q] })
  expect(steps).toEqual([])
  expect(refusals).toMatchObject([{ reason: expect.stringContaining('needs both vendor_id and product_id') }])
  expect(planOf({ aliases: [bare, ALIAS_16Q], api: [ALIAS_16Q], tail: ON }).refusals).toEqual([])
})

test('a name that Nova’s API has for other devices stops the plan', () => {
  const taken =
    'alias = {"name": "l40s-24q", "vendor_id": "10de", "product_id": "26b9", "device_type": "type-PF"}'
  expect(planOf({ aliases: [ALIAS_16Q], api: [ALIAS_16Q, taken] }).refusals).toMatchObject([
    { reason: expect.stringContaining("Nova's API on hyper18 would refuse every alias") },
  ])
})

// With pci_in_placement an alias by ids requests CUSTOM_PCI_10DE_26B9 (pci_placement_translator.py get_resource_class).
test('a flavor whose alias names ids alone loses the host when its VFs get a class', () => {
  const byIds =
    'alias = {"name": "l40s-16q", "vendor_id": "10de", "product_id": "26b9", "device_type": "type-VF"}'
  const { typeChange } = planOf({ aliases: [byIds], typed: 3, named: false, tail: ON })
  expect(typeChange?.flavors).toMatchObject([{ name: 'vgpu.l40s-16q', before: 1, after: 0 }])
})
