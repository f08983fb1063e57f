import { extraSpecProblems } from '@/lib/domain/fit/extra-spec-problems'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { limitDeltas } from '@/lib/domain/limits/next-server'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import type { OracleAnswer } from '../harness/open-oracle'
import { maybe, type Random } from '../harness/random'

/** Names as in Nova; sizes in GiB, memory and swap in MiB. */
type FlavorInput = {
  vcpus: number
  memory_mb: number
  root_gb: number
  ephemeral_gb: number
  swap: number
  extra_specs: Record<string, string>
}

type Group = { resources: Record<string, number>; required: readonly string[]; forbidden: readonly string[] }

/** Null: Nova creates no server of the flavor. */
export type FlavorResult = {
  groups: Record<string, Group>
  policy: string | null
  aliases: readonly (readonly [name: string, count: number])[]
} | null

const SUFFIXES = ['', '', '', '1', '1', '2', '_gpu', '-x', 'A1'] as const
const ODD_SUFFIXES = [' 1', '.', 'x'.repeat(64), 'x'.repeat(65)] as const
const CLASSES = [
  'VGPU',
  'PGPU',
  'CUSTOM_A40',
  'CUSTOM_T4_4C',
  'VCPU',
  'PCPU',
  'MEMORY_MB',
  'DISK_GB',
] as const
const ODD_CLASSES = [
  'vgpu',
  'GPU',
  'CUSTOM_',
  'custom_a40',
  'CUSTOM_a40',
  '',
  'VGPU:1',
  ' VGPU',
  'NVIDIA',
] as const
const AMOUNTS = ['1', '2', '0', '4', ' 1 ', '+2', '1_0'] as const
const ODD_AMOUNTS = ['', '-1', 'one', '1.0', '0x2', '1__0', '1 2', 'true', '-0', '_1'] as const
const TRAITS = [
  'CUSTOM_A',
  'HW_GPU_API_VULKAN',
  'CUSTOM_NVIDIA_222',
  'custom_b',
  '',
  'HW_CPU_HYPERTHREADING',
] as const
const TRAIT_VALUES = ['required', 'required', 'forbidden', 'Required', 'optional', '', 'true'] as const
const ALIASES = [
  'gpu:1',
  't4:2',
  'gpu:1,t4:1',
  ' gpu :1',
  'gpu: 2 ',
  'gpu:+1',
  'gpu:1,gpu:2',
  'gpu:0',
] as const
const ODD_ALIASES = [
  'gpu',
  'gpu=1',
  'gpu:1,',
  ':1',
  'gpu:one',
  'gpu:1:2',
  '',
  'gpu:1;t4:1',
  'gpu:',
  'gpu:1.5',
] as const
const PCI_POLICIES = ['required', 'legacy', 'preferred', 'socket', 'socket', ''] as const
const ODD_PCI_POLICIES = ['Required', 'strict', 'sockets', ' socket'] as const
/** Of flavors with four VCPUs. */
const MASKS = ['0-1', '^0', '1,3', '0-2,^1', '^0-1', '^0,^3', '^0,1'] as const

const suffix = (random: Random): string =>
  random.chance(0.97) ? random.pick(SUFFIXES) : random.pick(ODD_SUFFIXES)

const resource = (random: Random): [string, string] => [
  `${random.chance(0.97) ? 'resources' : random.pick(['resource', 'Resources', 'hw:resources'])}${suffix(random)}:${random.chance(0.88) ? random.pick(CLASSES) : random.pick(ODD_CLASSES)}`,
  random.chance(0.85) ? random.pick(AMOUNTS) : random.pick(ODD_AMOUNTS),
]

const trait = (random: Random): [string, string] => [
  `${random.chance(0.97) ? 'trait' : random.pick(['traits', 'Trait'])}${suffix(random)}:${random.pick(TRAITS)}`,
  random.pick(TRAIT_VALUES),
]

const cpuSpecs = (random: Random): (readonly [string, string])[] => {
  const policy = random.pick(['dedicated', 'dedicated', 'shared', 'mixed'])
  return [
    ['hw:cpu_policy', policy],
    ...(policy === 'mixed' ? [['hw:cpu_dedicated_mask', random.pick(MASKS)] as const] : []),
    ...maybe(random, 0.3, () => ['hw:emulator_threads_policy', random.pick(['isolate', 'share'])]),
  ]
}

/** A flavor with four VCPUs; half of the flavors have a fault. */
export const generateFlavor = (random: Random): FlavorInput => ({
  vcpus: 4,
  memory_mb: random.pick([2048, 8192]),
  root_gb: random.pick([0, 20]),
  ephemeral_gb: random.pick([0, 0, 5]),
  swap: random.pick([0, 0, 512, 1025]),
  extra_specs: Object.fromEntries([
    ...Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => resource(random)),
    ...Array.from({ length: random.pick([0, 0, 1, 2]) }, () => trait(random)),
    ...maybe(random, 0.65, () => [
      'pci_passthrough:alias',
      random.chance(0.45) ? random.pick(ALIASES) : random.pick(ODD_ALIASES),
    ]),
    ...maybe(random, 0.2, () => ['group_policy', random.pick(['none', 'isolate', 'isolated', ''])]),
    ...maybe(random, 0.25, () => [
      'hw:pci_numa_affinity_policy',
      random.chance(0.75) ? random.pick(PCI_POLICIES) : random.pick(ODD_PCI_POLICIES),
    ]),
    ...(random.chance(0.35) ? cpuSpecs(random) : []),
    ...maybe(random, 0.15, () => ['hw:cpu_thread_policy', random.pick(['isolate', 'require', 'prefer'])]),
    ...maybe(random, 0.1, () => ['os:secure_boot', random.pick(['required', 'optional', 'disabled'])]),
    ...maybe(random, 0.1, () => ['hw:tpm_version', random.pick(['1.2', '2.0'])]),
    ...maybe(random, 0.1, () => ['accel:device_profile', 'gpu']),
    ...maybe(random, 0.1, () => ['hw:vif_multiqueue_enabled', 'true']),
  ]),
})

export const ourFlavorRequest = ({ extra_specs: extraSpecs, ...flavor }: FlavorInput): FlavorResult => {
  if (extraSpecProblems({ extraSpecs }).some(({ effect }) => effect === 'refused')) return null
  const { groups, groupPolicy, aliases } = readFlavorRequest({
    vcpus: flavor.vcpus,
    memoryMib: flavor.memory_mb,
    diskGib: flavor.root_gb,
    ephemeralGib: flavor.ephemeral_gb,
    swapMib: flavor.swap,
    extraSpecs,
  })
  return {
    groups: Object.fromEntries(
      groups.map((group) => [
        group.suffix,
        {
          resources: group.resources,
          required: group.required.toSorted(),
          forbidden: group.forbidden.toSorted(),
        },
      ]),
    ),
    policy: groupPolicy,
    aliases: aliases.map(({ name, count }) => [name, count]),
  }
}

export const theirFlavorRequest = (answer: OracleAnswer, { extra_specs }: FlavorInput): FlavorResult => {
  if ('refused' in answer) return null
  const { groups, policy, aliases } = answer.value as NonNullable<FlavorResult>
  const base = groups[''] ?? { resources: {}, required: [], forbidden: [] }
  // Releases differ in the trait of the TPM's model, which has a default.
  const hasTpm = 'hw:tpm_version' in extra_specs
  const required = base.required.filter((name) => !hasTpm || !/^COMPUTE_SECURITY_TPM_(TIS|CRB)$/.test(name))
  return {
    groups: { ...groups, '': { ...base, required } },
    policy,
    // A count of 0 requests no device.
    aliases: aliases.filter(([, count]) => count > 0),
  }
}

/** By name of a limit; null: Nova creates no server of the flavor. */
export type LimitDeltas = Record<string, number> | null

export const ourLimitDeltas = ({ extra_specs: extraSpecs, ...flavor }: FlavorInput): LimitDeltas => {
  // Aliases are read elsewhere.
  const refused = extraSpecProblems({ extraSpecs }).filter(({ effect }) => effect === 'refused')
  if (refused.some(({ key }) => key !== 'pci_passthrough:alias')) return null
  const deltas = limitDeltas(
    buildFlavor({
      name: 'gpu',
      vcpus: flavor.vcpus,
      memoryMib: flavor.memory_mb,
      diskGib: flavor.root_gb,
      ephemeralGib: flavor.ephemeral_gb,
      swapMib: flavor.swap,
      extraSpecs,
    }),
  )
  return Object.fromEntries(deltas)
}

/** Nova refuses few flavors here, so these are the flavors with a limit on a GPU. */
export const hasGpuLimit = (deltas: LimitDeltas): boolean =>
  Object.keys(deltas ?? {}).some((name) => /^class:(VGPU|PGPU|CUSTOM_)/.test(name))
