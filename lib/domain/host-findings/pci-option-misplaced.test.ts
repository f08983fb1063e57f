import { expect, test } from 'vitest'
import { buildInventory, novaConf } from '@/lib/domain/testing/build-inventory'
import { sentencesOf } from '@/lib/domain/testing/describe'

const hostWith = (text: string) => buildInventory({ cards: [], novaConfig: novaConf(text) })
const SPEC = '{"vendor_id": "10de", "product_id": "1024"}'

test.each([
  [`device_spec = ${SPEC}`, '[DEFAULT] device_spec'],
  [`alias = ${SPEC}`, '[DEFAULT] alias'],
  [`passthrough_whitelist = ${SPEC}`, '[DEFAULT] passthrough_whitelist'],
  [`[pci]\npci_alias = ${SPEC}`, '[pci] pci_alias'],
  [`[pci]\npci_passthrough_whitelist = ${SPEC}`, '[pci] pci_passthrough_whitelist'],
  [`[pci]\naliases = ${SPEC}`, '[pci] aliases'],
  [`[pci]\ndevice_specs = ${SPEC}`, '[pci] device_specs'],
])('%s is nothing to Nova', (text, words) => {
  expect(sentencesOf(hostWith(text), 'pci-option-misplaced')).toEqual([
    `warning: nova.conf has ${words}, which Nova does not read`,
  ])
})

test.each([
  [`[pci]\ndevice_spec = ${SPEC}\nalias = ${SPEC}`],
  [`[pci]\npassthrough_whitelist = ${SPEC}`],
  [`pci_passthrough_whitelist = ${SPEC}\npci_alias = ${SPEC}`],
])('%s is read', (text) => {
  expect(sentencesOf(hostWith(text), 'pci-option-misplaced')).toEqual([])
})

test("old names are reported with the current ones, of Nova's API too", () => {
  const base = hostWith(`pci_passthrough_whitelist = ${SPEC}`)
  const novaApi = { ...novaConf(`pci_alias = ${SPEC}`), files: ['/etc/kolla/nova-api/nova.conf'] }
  const inventory = {
    ...base,
    host: {
      ...base.host,
      novaApi: {
        ...novaApi,
        options: novaApi.options.map((option) => ({ ...option, file: novaApi.files[0] ?? '' })),
      },
    },
  }
  expect(sentencesOf(inventory, 'old-option-names')).toEqual([
    'info: nova.conf uses deprecated option names: pci_passthrough_whitelist and pci_alias',
  ])
})
