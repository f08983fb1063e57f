import { matchesDeviceSpec, readDeviceSpecLine } from '@/lib/domain/nova-config/device-spec'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { pciClass } from '@/lib/domain/nova-config/pci-names'
import { specTraits } from '@/lib/domain/nova-config/spec-traits'
import type { Explained } from '../harness/compare-function'
import { maybe, type Random } from '../harness/random'
import { type JsonPair, jsonText } from './json-text'
import { mutate } from './mutate'

type Device = { vendor_id: string; product_id: string; address: string; parent_addr: string | null }
type DeviceSpecInput = { line: string; isReported: boolean; devices: readonly Device[] }

/** Null: refused. For each device: taken or not; with PCI in Placement its class and traits. */
export type DeviceSpecResult = (boolean | string[])[] | null

const device = (address: string, ids: string, parent: string | null = null): Device => {
  const [vendor_id = '', product_id = ''] = ids.split(':')
  return { vendor_id, product_id, address, parent_addr: parent }
}

const DEVICES: readonly Device[] = [
  device('0000:86:00.0', '10de:1024'),
  device('0000:3b:00.0', '10de:1eb8'),
  device('0000:c8:00.0', '10de:25b6'),
  device('0000:c8:00.4', '10de:25b6', '0000:c8:00.0'),
  device('0000:c8:01.3', '10de:25b6', '0000:c8:00.0'),
  device('0001:0a:1f.7', '1002:74a1'),
]

const VENDORS = ['10de', '10DE', '0x10de', '1002', '*', ' 10de ', '+10de', '1_0de'] as const
const PRODUCTS = ['1024', '1eb8', '25b6', '0x25B6', '74a1', '*', ' 1eb8', '01eb8'] as const
const ODD_IDS = [
  '',
  ' ',
  'nvidia',
  '10deX',
  '10000',
  '-1',
  '0x',
  '1__0',
  ' * ',
  '１０24',
  null,
  4318,
] as const

const GLOBS = [
  '0000:86:00.0',
  '0000:c8:00.0',
  '0000:C8:00.0',
  '*:86:00.*',
  '*:c8:*.*',
  ':c8:01.',
  '86:00.0',
  '0:86:0.0',
  '.0',
  '00.',
  '*:*:*.4',
  '0000:c8:00.*',
  ' 0000 : 3b : 00 . 0 ',
  '0001:0a:1f.7',
] as const
const ODD_GLOBS = [
  '0000:0000:86:00.0',
  '0000:86:20.0',
  '0000:86:00.8',
  'gggg:86:00.0',
  '10000:86:00.0',
  '0000:100:00.0',
  '0000:86:00.0.0',
  '0000:8*:00.0',
  '0000:86:00. ',
  '-1:86:00.0',
  'pci_0000_86_00_0',
  '0000:86:00:0',
] as const

const PATTERNS = [
  '.*',
  '86',
  'c8',
  '8[0-9]',
  '(86|3b)',
  '00',
  '[0-4]',
  '0{2}',
  'c',
  '',
  '\\d+',
  '0.',
  '(?:c8)',
  '^86$',
  '[^8]',
  'C8',
  '*',
  '(',
  '[',
  '+',
  '0{2',
  'a**',
] as const

const regexAddress = (random: Random): unknown =>
  Object.fromEntries([
    ...maybe(random, 0.4, () => ['domain', random.pick(['.*', '0000', '000[01]', ...PATTERNS])]),
    ...maybe(random, 0.7, () => ['bus', random.pick(PATTERNS)]),
    ...maybe(random, 0.5, () => ['slot', random.pick(['00', '.*', '0[01]', ...PATTERNS])]),
    ...maybe(random, 0.5, () => ['function', random.pick(['0', '.*', '[0-4]', ...PATTERNS])]),
    ...maybe(random, 0.04, () => ['bus', random.pick<unknown>([86, null, ['86']])]),
    ...maybe(random, 0.05, () => ['func', '0']),
  ])

const address = (random: Random): unknown => {
  if (random.chance(0.3)) return regexAddress(random)
  if (random.chance(0.04)) return random.pick<unknown>([null, '', [], 86, true, ['86'], {}, 0])
  return random.chance(0.85) ? random.pick(GLOBS) : random.pick(ODD_GLOBS)
}

const BOOLEANS = ['yes', 'no', 'true', 'False', '1', true, false, 1, 0, null] as const

/** Tags that Nova reads later, or in some releases. */
const tagPairs = (random: Random): JsonPair[] => [
  ...maybe(random, 0.5, () => [
    'resource_class',
    random.pick<unknown>([
      'CUSTOM_T4',
      'custom_a2-8q',
      'PGPU',
      'vgpu',
      'K40c (whole)',
      'é',
      '',
      null,
      'ßx',
      'CUSTOM_',
    ]),
  ]),
  ...maybe(random, 0.5, () => [
    'traits',
    random.pick<unknown>([
      'CUSTOM_A',
      'custom_b, c',
      'HW_GPU_API_VULKAN',
      'hw_gpu_api_vulkan,,x',
      '',
      null,
      'a,A',
      ' CUSTOM_A',
    ]),
  ]),
  ...maybe(random, 0.2, () => ['managed', random.pick<unknown>([...BOOLEANS, 'maybe', '', 2])]),
  ...maybe(random, 0.15, () => ['live_migratable', random.pick<unknown>([...BOOLEANS, 'never'])]),
  ...maybe(random, 0.1, () => ['one_time_use', random.pick<unknown>([...BOOLEANS, 'once'])]),
  ...maybe(random, 0.08, () => ['physical_network', random.pick<unknown>(['physnet1', null])]),
  ...maybe(random, 0.06, () => [
    random.pick(['resource_class', 'traits']),
    random.pick<unknown>([1, ['A'], {}, true, 0]),
  ]),
]

const entryText = (random: Random): string => {
  const pairs = [
    ...maybe(random, 0.6, () => [
      'vendor_id',
      random.chance(0.9) ? random.pick(VENDORS) : random.pick<unknown>(ODD_IDS),
    ]),
    ...maybe(random, 0.5, () => [
      'product_id',
      random.chance(0.88) ? random.pick(PRODUCTS) : random.pick<unknown>(ODD_IDS),
    ]),
    ...maybe(random, 0.55, () => ['address', address(random)]),
    ...maybe(random, 0.05, () => ['devname', random.pick<unknown>(['eth0', '', null])]),
    ...tagPairs(random),
  ]
  return jsonText(pairs)
}

/** One line of device_spec, with one entry or a list; half of the lines have a fault. */
export const generateDeviceSpec = (random: Random): DeviceSpecInput => {
  const entries = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => entryText(random))
  const text = entries.length === 1 && random.chance(0.8) ? entries[0] : `[${entries.join(', ')}]`
  const line = random.chance(0.12) ? mutate(random, text ?? '') : (text ?? '')
  return { line, isReported: random.chance(0.5), devices: DEVICES }
}

export const ourDeviceSpec = (
  { line, isReported, devices }: DeviceSpecInput,
  range: NovaRange,
): DeviceSpecResult => {
  const read = readDeviceSpecLine(line, { range, isReported })
  if (read.because !== null) return null
  const specs = read.specs.map((spec) => ({ ...spec, source: '' }))
  return devices.map((one) => {
    const ids = { vendorId: one.vendor_id, deviceId: one.product_id }
    const spec = specs.find((each) =>
      matchesDeviceSpec(each, { address: one.address, parentAddress: one.parent_addr, ...ids }),
    )
    if (spec === undefined || !isReported) return spec !== undefined
    const named = pciClass(spec.resource_class, { vendorId: one.vendor_id, productId: one.product_id })
    // Only add_parent reads one_time_use, which is not compared here.
    return [named ?? 'unknown', ...specTraits({ ...spec, one_time_use: undefined }, range)]
  })
}

export const DEVICE_SPECS_EXPLAINED: readonly Explained<DeviceSpecInput, DeviceSpecResult>[] = [
  {
    reason:
      'NaN is a number to the JSON parser of Python; the console refuses the line, as the JSON standard does',
    matches: ({ input, ours, theirs }) => /\bNaN\b/.test(input.line) && ours === null && theirs !== null,
  },
  {
    reason: 'Python reads digits of other scripts in a hexadecimal number; the console refuses them',
    matches: ({ input, ours, theirs }) =>
      /_id": "[^"]*[０-９]/.test(input.line) && ours === null && theirs !== null,
  },
]
