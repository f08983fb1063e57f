import { describe, expect, test } from 'vitest'
import { GRAMMARS, type GrammarName, isWellFormed } from './grammar'
import { malformedOption } from './nova-option-values'

const GOOD: Readonly<Record<GrammarName, readonly string[]>> = {
  pciAddress: ['0000:18:00.0', '0001:b7:1f.7'],
  uuid: ['7595b254-5df5-47f4-a911-0fd58ce9b659'],
  vgpuTypeId: ['nvidia-222', 'i915-GVTg_V5_4', 'mtty-2', 'vfio_ap-passthrough', 'vfio_ccw-io'],
  mdevParent: ['0000:18:00.4', 'mtty', 'matrix', '0.0.26ab'],
  driver: ['nvidia', 'vfio-pci', 'nvgrace_gpu_vfio_pci', 'xe-vfio-pci', 'snd_hda_intel', '3w-9xxx'],
  cpuSet: ['0', '0-11,24-35', '0-12,^8,15', '0-3, 8-11'],
  resourceClass: ['VGPU', 'CUSTOM_A100_40C'],
  mdevClass: ['VGPU', 'CUSTOM_NVIDIA_11'],
  trait: ['HW_GPU_API_VULKAN', 'CUSTOM_T4_4C'],
  customTrait: ['CUSTOM_T4_4C'],
  alias: ['t4', 'a100-40g', 'NVIDIA A100 (40 GB)', 'gpu/a100'],
  optionName: ['device_spec', 'cpu_shared_set'],
  extraSpecKey: ['resources:VGPU', 'trait:CUSTOM_T4_4C', 'hw:cpu_policy', 'group_policy'],
  flavorId: ['7595b254-5df5-47f4-a911-0fd58ce9b659', '42', 'g1.large', 'my flavor'],
  plainId: ['default', '7595b254-5df5-47f4-a911-0fd58ce9b659', '5e0a4f3d6b2c4f3d9a1b2c3d4e5f6a7b'],
  limitName: ['servers', 'server_key_pairs', 'class:CUSTOM_A100_40C'],
  dropInName: ['99-sliceboard-mdev.conf'],
  path: [
    '/etc/mdevctl.d/0000:18:00.0/7595b254-5df5-47f4-a911-0fd58ce9b659',
    '/var/lib/docker/volumes/nova_libvirt_qemu/_data',
    '/etc/nova/provider_config/',
    '/var/lib/kubelet/pods/a/volumes/kubernetes.io~configmap/nova',
  ],
}

const HOSTILE = [
  'x\nEND\ntouch /tmp/x',
  '$(id)',
  '`id`',
  'a;id',
  "a'b",
  'a"b',
  'a|b',
  'a>b',
  'a\\b',
  '\u001b[2J',
  '\u202eabc',
  'a\0b',
  '..',
  '../x',
  '/etc/../x',
  '-rf',
  '＝x',
  '',
]

/** Characters that no grammar takes, wherever they are in a good value. */
const NEVER = [
  '\n',
  '\r',
  '\t',
  '\0',
  '\u0085',
  '\u2028',
  '\u200b',
  '\u202e',
  ';',
  '$',
  '`',
  "'",
  '"',
  '\\',
  '<',
  '#',
]

describe.each(Object.keys(GRAMMARS) as GrammarName[])('%s', (name) => {
  test.each(GOOD[name])('takes %j', (value) => expect(isWellFormed(name, value)).toBe(true))
  test.each(NEVER)('refuses %j at the start, within and at the end of a good value', (character) => {
    for (const good of GOOD[name])
      for (const at of [0, 1, good.length])
        expect(isWellFormed(name, `${good.slice(0, at)}${character}${good.slice(at)}`)).toBe(false)
  })
  test.each(HOSTILE)('refuses %j', (value) => {
    // Nova takes a dash and dots at the start of a flavor's id and an extra spec's key.
    const isNovasOwn = (name === 'flavorId' || name === 'extraSpecKey') && /^[-.]+\w*$/.test(value)
    expect(isWellFormed(name, value)).toBe(isNovasOwn)
  })
})

test.each([
  ['devices', 'enabled_mdev_types', 'nvidia-222, nvidia-223'],
  ['mdev_nvidia-222', 'device_addresses', '0000:18:00.0,0000:3B:00.0'],
  ['MDEV_NVIDIA-222', 'max_instances', '16'],
  [
    'pci',
    'device_spec',
    '{"vendor_id": "10de", "address": {"bus": "65", "function": "[0-3]"}, "managed": "no"}',
  ],
  ['pci', 'alias', '[{"name": "a100", "product_id": "0x20b5", "numa_policy": "preferred"}]'],
  ['pci', 'report_in_placement', 'True'],
  ['compute', 'cpu_shared_set', ''],
  ['DEFAULT', 'reserved_host_memory_mb', '4096'],
])('[%s] %s = %s is written', (section, name, value) => {
  expect(malformedOption({ section, name, value })).toBeNull()
})

test.each([
  ['devices', 'enabled_mdev_types', 'nvidia-222\nEND'],
  ['devices', '__proto__', 'x'],
  ['__proto__', 'x', 'x'],
  ['mdev_nvidia-222\n[x]', 'max_instances', '16'],
  ['pci', 'alias', '{"name": "a"}\n{"name": "b"}'],
  ['pci', 'alias', '{"name": "$transport_url"}'],
  ['pci', 'alias', '{"name": {"a": "b"}}'],
  ['pci', 'device_spec', '{"a b": "x"}'],
  ['pci', 'device_spec', '{"address": {"bus": ["1"]}}'],
  ['pci', 'device_spec', '{"devname": "\\u0007"}'],
  ['DEFAULT', 'transport_url', 'rabbit://x'],
])('[%s] %s = %s is not', (section, name, value) => {
  expect(malformedOption({ section, name, value })).toMatch(/^must /)
})
