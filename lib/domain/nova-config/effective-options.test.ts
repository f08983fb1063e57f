import { expect, it } from 'vitest'
import type { NovaOption } from '@/lib/schemas/agent/inventory'
import { parseOsloConfig } from '@/lib/schemas/agent/oslo-config'
import { effectiveOptions, multiValues, splitList } from './effective-options'

it('drops commas at the end and the spaces around each entry', () => {
  expect(splitList(' a, b ,c,,, ')).toEqual(['a', 'b', 'c'])
  expect(splitList('a,,b')).toEqual(['a', '', 'b'])
})

it.each(['', ' ', ',', ',,,'])('finds no entry in %j', (value) => {
  expect(splitList(value)).toEqual([])
})

it('is done with commas that do not end the value, in many options of a report', () => {
  const value = `${','.repeat(16_383)}x`
  for (let option = 0; option < 192; option += 1) expect(splitList(value)).toHaveLength(16_384)
})

it('orders the values of a multi-valued option as Nova does: by file, old names first', () => {
  const option = (file: string, section: string, name: string, value: string): NovaOption => ({
    section,
    name,
    value,
    file,
    line: 1,
  })
  const config = {
    deployment: 'package' as const,
    files: ['a.conf', 'b.conf'],
    options: [
      option('a.conf', 'pci', 'device_spec', '1'),
      option('a.conf', 'pci', 'passthrough_whitelist', '2'),
      option('a.conf', 'DEFAULT', 'pci_passthrough_whitelist', '3'),
      option('a.conf', 'PCI', 'device_spec', '4'),
      option('b.conf', 'pci', 'passthrough_whitelist', '5'),
    ],
  }
  const found = multiValues(config, { section: 'pci', name: 'device_spec' })
  expect(found.map((each) => each.option.value)).toEqual(['3', '2', '1', '4', '5'])
})

const valuesOf = (text: string): Record<string, string> => {
  const options = parseOsloConfig(text).options.map((option) => ({ ...option, file: 'nova.conf' }))
  const found = effectiveOptions({ deployment: 'package', files: ['nova.conf'], options })
  return Object.fromEntries(found.map(({ option }) => [option.name, option.value]))
}

it('replaces references to other options as oslo.config does', () => {
  const text = `
[DEFAULT]
host = gpu01
[libvirt]
virt_type = kvm
live_migration_scheme = $virt_type-$host-\${libvirt.virt_type}
[compute]
provider_config_location = /etc/\${host}/$cpu_shared_set
cpu_shared_set = 0-3
`
  expect(valuesOf(text)).toMatchObject({
    live_migration_scheme: 'kvm-gpu01-kvm',
    provider_config_location: '/etc/gpu01/0-3',
  })
})

it('reads $$ and \\$ as a dollar sign', () => {
  const text = String.raw`
[pci]
device_spec = {"address": {"domain": ".*", "bus": "06", "slot": "00", "function": "[2-7]$"}}
alias = {"name": "a$$", "product_id": "1\$$host$\$host"}
`
  expect(valuesOf(text)).toEqual({
    device_spec: '{"address": {"domain": ".*", "bus": "06", "slot": "00", "function": "[2-7]$"}}',
    alias: '{"name": "a$", "product_id": "1$$host$$host"}',
  })
})

it('replaces references of references', () => {
  const text = `
[DEFAULT]
host = gpu-\${libvirt.virt_type}
[libvirt]
virt_type = kvm$$
[compute]
cpu_shared_set = $host
provider_config_location = /etc/$cpu_shared_set/$cpu_shared_set
`
  expect(valuesOf(text)).toMatchObject({
    cpu_shared_set: 'gpu-kvm$',
    provider_config_location: '/etc/gpu-kvm$/gpu-kvm$',
  })
})

it('is done with references of references that are many and empty', () => {
  const many = (name: string): string => `$${name}`.repeat(4000)
  const text = `
[DEFAULT]
host = ${many('{libvirt.virt_type}')}
[libvirt]
virt_type = ${many('{compute.cpu_shared_set}')}
[compute]
cpu_shared_set =
provider_config_location = ${many('host')}
`
  expect(valuesOf(text).provider_config_location).toBe('')
})

it('keeps a reference that nova.conf does not resolve, or whose value has one in a circle', () => {
  const text = `
[DEFAULT]
host = $host
[compute]
provider_config_location = $state_path/\${quota.driver}/$1/\${
cpu_shared_set = \${compute.cpu_dedicated_set}
cpu_dedicated_set = $cpu_shared_set
`
  expect(valuesOf(text)).toEqual({
    host: '$host',
    provider_config_location: `$state_path/\${quota.driver}/$1/\${`,
    cpu_shared_set: `\${compute.cpu_dedicated_set}`,
    cpu_dedicated_set: '$cpu_shared_set',
  })
})

it('is done with a report that refers to long values many times', () => {
  const text = `[DEFAULT]\nhost = ${'x'.repeat(16_000)}\n[pci]\n${`alias = ${'$host'.repeat(3000)}\n`.repeat(100)}`
  expect(valuesOf(text).alias?.length).toBeLessThan(64_000)
})
