import type { Flavor } from '@/lib/domain/cloud/types'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { pythonInt } from '@/lib/domain/nova-config/python-values'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpPart } from '@/lib/util/encode/http'
import { oncePer } from '@/lib/util/once-per'
import { isGpuClass, RESOURCE_KEY, TRAIT_KEY } from './extra-spec-keys'
import { extraSpecProblems, readAliases } from './extra-spec-problems'

/** One group of Placement's granular syntax; suffix '' is the group without a number. */
export type ResourceGroup = {
  suffix: string
  resources: Readonly<Record<string, number>>
  required: readonly string[]
  forbidden: readonly string[]
}

/** What Nova asks Placement for a server of a flavor, image and ports aside. */
export type FlavorRequest = {
  /** The group without suffix first; groups without resources only when they hold traits. */
  groups: readonly ResourceGroup[]
  groupPolicy: 'none' | 'isolate' | null
  /** `pci_passthrough:alias`. */
  aliases: readonly { name: string; count: number }[]
  /** Extra specs that Nova drops with no more than a line in its log. */
  ignored: readonly { key: string; value: string; because: string }[]
}

export type FlavorLike = Pick<
  Flavor,
  'vcpus' | 'memoryMib' | 'diskGib' | 'ephemeralGib' | 'swapMib' | 'extraSpecs'
>

type Draft = { resources: Map<string, number>; required: Set<string>; forbidden: Set<string> }

const draftOf = (drafts: Map<string, Draft>, suffix: string): Draft => {
  const held = drafts.get(suffix)
  if (held !== undefined) return held
  const draft: Draft = { resources: new Map(), required: new Set(), forbidden: new Set() }
  drafts.set(suffix, draft)
  return draft
}

/**
 * The amounts that the CPU policy sets, unless they are explicit. Source: nova/scheduler/utils.py
 * _translate_pinning_policies.
 */
const pinnedResources = ({ vcpus, extraSpecs }: FlavorLike): [string, number][] => {
  const policy = extraSpecs['hw:cpu_policy']
  const emulator = extraSpecs['hw:emulator_threads_policy'] === 'isolate' ? 1 : 0
  if (policy === 'dedicated') return [['PCPU', vcpus + emulator]]
  if (policy !== 'mixed') return []
  const mask = (extraSpecs['hw:cpu_dedicated_mask'] ?? '').trim()
  const dedicated = parseCpuSet(mask.startsWith('^') ? `0-${vcpus - 1},${mask}` : mask).size
  return [
    ['PCPU', dedicated + emulator],
    ['VCPU', vcpus - dedicated],
  ]
}

/** Traits that the group without suffix requires or forbids. Source: nova/scheduler/utils.py ResourceRequest._translate_…. */
const translateTraits = (extraSpecs: FlavorLike['extraSpecs'], draft: Draft): void => {
  const threads = extraSpecs['hw:cpu_thread_policy']
  if (threads === 'isolate') draft.forbidden.add('HW_CPU_HYPERTHREADING')
  if (threads === 'require') draft.required.add('HW_CPU_HYPERTHREADING')
  if (extraSpecs['hw:pci_numa_affinity_policy'] === 'socket')
    draft.required.add('COMPUTE_SOCKET_PCI_NUMA_AFFINITY')
  if (extraSpecs['os:secure_boot'] === 'required') draft.required.add('COMPUTE_SECURITY_UEFI_SECURE_BOOT')
  const tpm = extraSpecs['hw:tpm_version']
  if (tpm === '1.2' || tpm === '2.0') draft.required.add(`COMPUTE_SECURITY_TPM_${tpm.replace('.', '_')}`)
}

/** What the flavor's own numbers request of the classes that no group names, not even with 0. */
const ownResources = (flavor: FlavorLike, drafts: ReadonlyMap<string, Draft>): [string, number][] => {
  const named = new Set([...drafts.values()].flatMap(({ resources }) => [...resources.keys()]))
  const disk = flavor.diskGib + flavor.ephemeralGib + Math.ceil(flavor.swapMib / 1024)
  const own: [string, number][] = [
    ['VCPU', flavor.vcpus],
    ['MEMORY_MB', flavor.memoryMib],
    ['DISK_GB', disk],
  ]
  return own.filter(([name]) => !named.has(name) && !(name === 'VCPU' && named.has('PCPU')))
}

/**
 * The request that Nova makes of a flavor. An explicit amount of a class in any group replaces what the flavor's own numbers
 * give; 0 removes it. Booted from an image: a server from a volume requests no root disk.
 * Source: nova/scheduler/utils.py ResourceRequest (from_request_spec, _process_extra_specs, merged_resources).
 */
export const readFlavorRequest = oncePer((flavor: FlavorLike): FlavorRequest => readRequest(flavor))

/** The request by the extra specs alone: what a server's own copy of its flavor has. Servers with equal copies share one object. */
export const requestOfExtraSpecs = oncePer(
  (extraSpecs: FlavorLike['extraSpecs']): FlavorRequest =>
    readRequest({ vcpus: 0, memoryMib: 0, diskGib: 0, ephemeralGib: 0, swapMib: 0, extraSpecs }),
)

const groupOf = ([suffix, draft]: [string, Draft]): ResourceGroup => ({
  suffix,
  resources: Object.fromEntries([...draft.resources].filter(([, amount]) => amount > 0)),
  required: [...draft.required],
  forbidden: [...draft.forbidden],
})

const isEmptyGroup = ({ resources, required, forbidden }: ResourceGroup): boolean =>
  Object.keys(resources).length + required.length + forbidden.length === 0

const readRequest = (flavor: FlavorLike): FlavorRequest => {
  const drafts = new Map<string, Draft>()
  const ignored = extraSpecProblems(flavor)
    .filter(({ effect, isGuess }) => effect === 'ignored' && !isGuess)
    .map(({ key, value, because }) => ({ key, value, because }))
  const base = draftOf(drafts, '')
  for (const [key, value] of Object.entries(flavor.extraSpecs)) {
    if (ignored.some((entry) => entry.key === key)) continue
    const resource = RESOURCE_KEY.exec(key)
    const trait = TRAIT_KEY.exec(key)
    if (resource !== null)
      draftOf(drafts, resource[1] ?? '').resources.set(resource[2] ?? '', pythonInt(value) ?? 0)
    if (trait !== null && (value === 'required' || value === 'forbidden'))
      draftOf(drafts, trait[1] ?? '')[value].add(trait[2] ?? '')
  }
  const pinned = pinnedResources(flavor)
  const explicit = base.resources
  base.resources = new Map([...explicit, ...pinned])
  // CPUs, memory and disk come first.
  base.resources = new Map([...pinned, ...ownResources(flavor, drafts), ...explicit, ...pinned])
  translateTraits(flavor.extraSpecs, base)
  const policy = flavor.extraSpecs.group_policy
  return {
    groups: [...drafts].map(groupOf).filter((group) => group.suffix === '' || !isEmptyGroup(group)),
    groupPolicy: policy === 'none' || policy === 'isolate' ? policy : null,
    aliases: readAliases(flavor.extraSpecs['pci_passthrough:alias']),
    ignored,
  }
}

/** The literal call: `GET /allocation_candidates?resources=…`, groups by suffix, as Nova writes it (Placement 1.36). */
export const candidatesQuery = ({ groups, groupPolicy }: FlavorRequest): Encoded<'http'> => {
  const parts = groups.flatMap(({ suffix, resources, required, forbidden }) => {
    const amounts = joinEncoded(
      Object.entries(resources)
        .map(([name, amount]) => http`${httpPart(name)}:${amount}`)
        .toSorted(),
      ',',
    )
    const traits = joinEncoded(
      [...required.map(httpPart), ...forbidden.map((trait) => http`!${httpPart(trait)}`)].toSorted(),
      ',',
    )
    return [
      ...(amounts === '' ? [] : [http`resources${httpPart(suffix)}=${amounts}`]),
      ...(traits === '' ? [] : [http`required${httpPart(suffix)}=${traits}`]),
    ]
  })
  const policy = groupPolicy === null ? [] : [http`group_policy=${httpPart(groupPolicy)}`]
  return http`GET /allocation_candidates?${joinEncoded([...parts, ...policy], '&')}`
}

/** Classes of CPU, memory and disk, which every flavor requests. */
export const PLAIN_CLASSES = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'])

/** The GPU classes that a request contains (`VGPU` and custom ones), with the amount over all groups. */
export const gpuAmounts = ({ groups }: Pick<FlavorRequest, 'groups'>): Map<string, number> => {
  const amounts = new Map<string, number>()
  for (const { resources } of groups)
    for (const [name, amount] of Object.entries(resources))
      if (isGpuClass(name)) amounts.set(name, (amounts.get(name) ?? 0) + amount)
  return amounts
}
