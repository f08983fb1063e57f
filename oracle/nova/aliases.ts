import { parseJson } from '@/lib/domain/nova-config/device-spec'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { type PciAlias, toAlias } from '@/lib/domain/nova-config/pci-alias'
import { areAliasesAccepted } from '@/lib/domain/nova-config/pci-alias-rules'
import { strictBool } from '@/lib/domain/nova-config/python-values'
import type { OracleAnswer } from '../harness/open-oracle'
import { maybe, type Random } from '../harness/random'
import { type JsonPair, jsonText } from './json-text'
import { mutate } from './mutate'

export type AliasesInput = { aliases: string[]; isByPlacement: boolean }

/** Null: refused. Otherwise for each name the policy and the devices that it may take. */
export type AliasesResult = Record<string, { policy: string; specs: Record<string, string>[] }> | null

const NAMES = ['gpu', 'gpu', 't4', 'a2-8q', ' gpu ', 'GPU', 'gpu\u0085', '\ufeffgpu', 'g\u001f'] as const
const IDS = ['10de', '10DE', '1eb8', '25b6', '8086', '0443'] as const
const ODD_IDS = ['0x10de', '10d', '10dee', 'wxyz', '*', '', ' 10de', '10de\n', '１０de', 'ſ0de'] as const
const TYPES = ['type-PCI', 'type-PF', 'type-VF'] as const
const POLICIES = ['required', 'legacy', 'preferred', 'socket'] as const

type Members = JsonPair[]

const soundEntry = (random: Random, type: string | null): Members => [
  ['name', random.chance(0.7) ? random.pick(NAMES) : random.pick(['gpu', 't4'])],
  ...maybe(random, 0.85, () => ['vendor_id', random.pick(IDS)]),
  ...maybe(random, 0.85, () => ['product_id', random.pick(IDS)]),
  ...(type === null ? [] : ([['device_type', type]] satisfies Members)),
  ...maybe(random, 0.25, () => ['numa_policy', random.pick(['legacy', 'legacy', ...POLICIES])]),
  ...maybe(random, 0.1, () => ['capability_type', 'pci']),
]

/** Members that some releases know. */
const newMembers = (random: Random): Members => [
  ...maybe(random, 0.3, () => ['resource_class', random.pick(['CUSTOM_T4', 'PGPU', 'gpu', ''])]),
  ...maybe(random, 0.3, () => ['traits', random.pick(['CUSTOM_A', 'HW_GPU_API_VULKAN,custom_b', ''])]),
  ...maybe(random, 0.3, () => ['live_migratable', random.pick(['yes', 'no', 'True', '0', 'maybe', ''])]),
]

const oddMember = (random: Random): JsonPair =>
  random.pick<() => JsonPair>([
    () => ['name', random.pick<unknown>(['', 1, null, ['gpu'], 'x'.repeat(256), 'x'.repeat(257)])],
    () => ['vendor_id', random.pick<unknown>([...ODD_IDS, 4318, null])],
    () => ['product_id', random.pick<unknown>([...ODD_IDS, 7864, true])],
    () => ['device_type', random.pick<unknown>(['type-pci', 'vdpa', '', null, 'type-PF '])],
    () => ['numa_policy', random.pick<unknown>(['strict', 'Required', '', null, false])],
    () => ['capability_type', random.pick<unknown>(['usb', 'PCI', null])],
    () => [random.pick(['dev_type', 'model', 'Name', 'constructor', '__proto__', 'device_id', '']), 'gpu'],
  ])()

const entryText = (random: Random, type: string | null): string => {
  const members = [...soundEntry(random, type), ...(random.chance(0.12) ? newMembers(random) : [])]
  if (random.chance(0.1)) members.push(oddMember(random))
  if (random.chance(0.03)) members.splice(0, 1)
  const text = jsonText(members)
  return random.chance(0.06) ? mutate(random, text) : text
}

/** One to three aliases, often of one name; half of the lists have a fault. */
export const generateAliases = (random: Random): AliasesInput => {
  const count = random.pick([1, 1, 2, 2, 3])
  const common = random.chance(0.6) ? random.pick(TYPES) : null
  const type = () => (random.chance(0.9) ? common : random.pick([...TYPES, null]))
  return {
    aliases: Array.from({ length: count }, () => entryText(random, type())),
    isByPlacement: random.chance(0.5),
  }
}

/** Members as Nova names them; those that select no device are left out. */
const specOf = ({ live_migratable: migratable, ...alias }: PciAlias): Record<string, string> =>
  Object.fromEntries(
    (
      [
        ['vendor_id', alias.vendor_id],
        ['product_id', alias.product_id],
        ['dev_type', alias.device_type],
        ['resource_class', alias.resource_class],
        ['traits', alias.traits],
        ['live_migratable', migratable === undefined ? undefined : String(strictBool(migratable))],
      ] as const
    ).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )

export const ourAliases = ({ aliases, isByPlacement }: AliasesInput, range: NovaRange): AliasesResult => {
  const entries = aliases.map(parseJson)
  // Null: minor releases of Nova 31 differ. Debian has 31.0.0, which does not check aliases at its start.
  if (areAliasesAccepted(entries, { range, isByPlacement }) === false) return null
  const found = new Map<string, { policy: string; specs: Record<string, string>[] }>()
  for (const entry of entries) {
    const alias = toAlias(entry, '')
    if (alias === null) continue
    const held = found.get(alias.name) ?? { policy: alias.numa_policy ?? 'legacy', specs: [] }
    held.specs.push(specOf(alias))
    found.set(alias.name, held)
  }
  return Object.fromEntries(found)
}

export const theirAliases = (answer: OracleAnswer): AliasesResult => {
  if ('refused' in answer) return null
  const found = answer.value as NonNullable<AliasesResult>
  for (const { specs } of Object.values(found)) for (const spec of specs) delete spec.capability_type
  return found
}
