import { uuidOf } from '@/lib/domain/testing/build-inventory'
import type { Random } from '../harness/random'

type TypeId = (typeof TYPES)[number]
export type MdevParent = {
  address: string
  offers: readonly (readonly [typeId: TypeId, available: number])[]
}

/** A host with mdev parents and active mdevs, and the text of its nova.conf. */
export type MdevHost = {
  text: string
  parents: readonly MdevParent[]
  mdevs: readonly { uuid: string; parent: string; typeId: string }[]
}

/** The last two are VFs of one card. */
const PARENTS = ['0000:3b:00.0', '0000:86:00.0', '0001:0a:1f.7', '0000:c8:00.4', '0000:c8:00.5'] as const
const TYPES = ['nvidia-222', 'nvidia-223', 'i915-GVTg_V5_4', 'NVIDIA-222'] as const
const ADDRESSES = [...PARENTS, ...PARENTS, '0000:C8:00.4', '0000:af:00.0'] as const
const ODD_ADDRESSES = [
  '86:00.0',
  '0000:86:00',
  '0000:86:00.8',
  'pci_0000_86_00_0',
  '0000:86:00:0',
  '0000:86:00-0',
  '*:86:00.0',
  '0000:86:00.0 0000:3b:00.0',
  '\u00a00000:86:00.0',
  '\ufeff0000:86:00.0',
  '',
] as const
const CLASSES = ['CUSTOM_A', 'VGPU', 'CUSTOM_B', 'CUSTOM_A40_8Q'] as const
const ODD_CLASSES = [
  'custom_c',
  'PGPU',
  '',
  'CUSTOM_',
  'CUSTOM_A-B',
  'VGPU VGPU',
  '" VGPU"',
  "'CUSTOM_A'",
  'VGPUS',
] as const
const LIMITS = ['4', '1', '6', '12', '" 8 "', '+3', ''] as const
const ODD_LIMITS = ['0', 'x', '-1', '1_0', '2.0', '99999999999', '0x4', '1__0'] as const

const listText = (random: Random, items: readonly string[]): string =>
  `${items.join(random.pick([',', ',', ', ', ' , ']))}${random.chance(0.05) ? ',' : ''}`

const assignment = (random: Random, name: string, value: string): string =>
  `${name}${random.pick([' = ', ' = ', '=', ': '])}${value}`

const addressList = (random: Random, free: string[]): string => {
  const items = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => {
    if (random.chance(0.04)) return random.pick(ODD_ADDRESSES)
    return random.chance(0.95) ? (free.shift() ?? '0000:af:00.0') : random.pick(ADDRESSES)
  })
  return listText(random, items)
}

const addressLines = (random: Random, free: string[]): string[] =>
  random.chance(0.04)
    ? ['device_addresses = 0000:86:00.0,', `  ${addressList(random, free)}`]
    : [assignment(random, 'device_addresses', addressList(random, free))]

/** Up to three options, and sometimes two groups of one type. */
const group = (random: Random, typeId: TypeId, free: string[]): string[] => {
  if (random.chance(0.06)) return []
  const section = random.chance(0.8) ? 'mdev' : 'vgpu'
  const name = random.chance(0.92) ? typeId : typeId.toUpperCase()
  const mdevClass = random.chance(0.9) ? random.pick(CLASSES) : random.pick(ODD_CLASSES)
  const limit = random.chance(0.88) ? random.pick(LIMITS) : random.pick(ODD_LIMITS)
  return [
    `[${section}_${name}]`,
    ...(random.chance(0.88) ? addressLines(random, free) : []),
    ...(random.chance(0.03) ? ['# the next option counts', ...addressLines(random, free)] : []),
    ...(random.chance(0.35) ? [assignment(random, 'mdev_class', mdevClass)] : []),
    ...(random.chance(0.3) ? [assignment(random, 'max_instances', limit)] : []),
    ...(random.chance(0.04) ? ['', ...group(random, typeId, free)] : []),
  ]
}

const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)

const confText = (random: Random): string => {
  const types = shuffled(random, TYPES).slice(0, random.pick([0, 1, 2, 2, 3, 3, 4]))
  if (random.chance(0.04)) types.push(random.pick(TYPES))
  const names = [random.chance(0.8) ? 'enabled_mdev_types' : 'enabled_vgpu_types']
  if (random.chance(0.06)) names.push(random.pick(['enabled_mdev_types', 'enabled_vgpu_types']))
  const free = shuffled(random, random.chance(0.85) ? PARENTS : ADDRESSES)
  const groups = [...new Set(types)].flatMap((typeId) => group(random, typeId, free))
  const enabled = names.map((name) =>
    assignment(random, name, listText(random, random.chance(0.9) ? types : shuffled(random, types))),
  )
  const lines = random.chance(0.9)
    ? ['[devices]', ...enabled, ...groups]
    : [...groups, '[Devices]', ...enabled]
  if (random.chance(0.03))
    lines.splice(random.pick([1, 2, 3]), 0, random.pick(['  continued', 'no assignment', '[', '= 3']))
  return `${lines.join('\n')}\n`
}

/** What the driver of a card offers, and the mdevs that exist. */
export const generateMdevHost = (random: Random): MdevHost => {
  const parents = PARENTS.map((address): MdevParent => {
    const offers = TYPES.filter(() => random.chance(0.8)).map(
      (typeId) => [typeId, random.pick([0, 1, 1, 2, 4])] as const,
    )
    return { address, offers }
  })
  const mdevs = parents.flatMap(({ address, offers }, index) =>
    offers.flatMap(([typeId]) =>
      random.chance(0.2)
        ? [{ uuid: uuidOf(index * TYPES.length + TYPES.indexOf(typeId)), parent: address, typeId }]
        : [],
    ),
  )
  return { text: confText(random), parents, mdevs }
}
