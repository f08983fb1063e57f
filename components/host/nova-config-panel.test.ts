import { expect, test } from 'vitest'
import { type NovaOption, novaConfigRows } from './nova-config-panel'

const option = (line: number, facts: Partial<NovaOption> = {}): NovaOption => ({
  section: 'pci',
  name: 'device_spec',
  value: `{"address": "0000:21:00.${line}"}`,
  file: '/etc/nova/nova.conf',
  line,
  isOverridden: false,
  presentName: null,
  ...facts,
})

const wordsOf = (options: NovaOption[]) =>
  novaConfigRows(options).map((row) =>
    row.kind === 'line'
      ? `${row.option.name} ${row.option.line}`
      : `[${row.section}] ${row.name} x ${row.options.map(({ line }) => line).join()}`,
  )

test('the lines that PCI passthrough shows are one row each, at the position of the first', () => {
  expect(
    wordsOf([
      option(2, { name: 'report_in_placement' }),
      option(3),
      option(4),
      option(5, { name: 'alias' }),
      option(6),
      option(7, { section: 'devices', name: 'enabled_mdev_types' }),
    ]),
  ).toEqual(['report_in_placement 2', '[pci] device_spec x 3,4,6', '[pci] alias x 5', 'enabled_mdev_types 7'])
})

test('a line under an old name, an overridden one, and one of another section have separate rows', () => {
  const options = [
    option(1, { name: 'passthrough_whitelist', presentName: 'device_spec' }),
    option(2, { isOverridden: true }),
    option(3, { section: 'DEFAULT', name: 'alias' }),
  ]
  expect(novaConfigRows(options)).toEqual(options.map((one) => ({ kind: 'line', option: one })))
})
