import {
  everyComputeHas,
  minimumText,
  NOVA_RULES,
  type NovaRange,
  type NovaRuleName,
  newestRelease,
  novaRange,
  novaSince,
  rangeHas,
  rangeText,
} from '@/lib/domain/nova-config/nova-releases'

type Definition = {
  title: string
  /** Null: no release is known that lifts the limit. */
  rule: NovaRuleName | null
  /** What happens without support. */
  otherwise: string
  /** What an admin can do instead. */
  instead: string
  /** What a release with support requires. */
  condition: string | null
  link: string
}

/** What users and admins do with servers that have vGPUs, in the order of the page. */
const DEFINITIONS = {
  suspend: {
    title: 'Suspend and resume',
    rule: 'vgpuSuspend',
    otherwise: 'The action fails and the server returns to ACTIVE.',
    instead: 'Create a snapshot or shelve the server.',
    condition: null,
    link: 'https://bugs.launchpad.net/nova/+bug/1948705',
  },
  move: {
    title: 'Resize and cold migration',
    rule: 'vgpuColdMigration',
    otherwise: 'The server starts without its vGPUs.',
    instead: 'Rebuild the server afterwards.',
    condition: null,
    link: 'https://bugs.launchpad.net/nova/+bug/1778563',
  },
  rescue: {
    title: 'Rescue',
    rule: 'vgpuRescue',
    otherwise: 'A server in rescue mode loses its vGPUs, and another server can receive them.',
    instead: 'Rebuild the server immediately after the rescue, while its host has free vGPUs.',
    condition: null,
    link: 'https://bugs.launchpad.net/nova/+bug/1762688',
  },
  liveMigration: {
    title: 'Live migration with mdevs',
    rule: 'mdevLiveMigration',
    otherwise: 'The guest XML is not updated with the mdev of the destination.',
    instead: 'Use cold migration.',
    condition: `Both hosts need ${minimumText('mdevLiveMigration')}, or newer. If they have several vGPU types, flavors must request one by trait or resource class.`,
    link: 'https://docs.openstack.org/releasenotes/nova/2024.1.html',
  },
  vfioLiveMigration: {
    title: 'Live migration with vendor VFIO',
    rule: 'vfioLiveMigration',
    otherwise: 'Nova refuses to live-migrate a server with a PCI device.',
    instead: 'Use cold migration.',
    condition: 'device_spec and the alias must set live_migratable.',
    link: 'https://docs.openstack.org/nova/latest/admin/pci-passthrough.html',
  },
  multiCreate: {
    title: 'Multi-create',
    rule: null,
    otherwise:
      'A request for several servers with vGPUs can end in NoValidHost although they fit on several cards.',
    instead: 'Create servers one at a time.',
    condition: null,
    link: 'https://bugs.launchpad.net/nova/+bug/1874664',
  },
  severalVgpus: {
    title: 'Several vGPUs per server',
    rule: 'severalVgpuGroups',
    otherwise:
      'A server gets the vGPUs of one provider only, without an error (bug 1758086). Placement counts all of them as used.',
    instead: 'Request one vGPU of a larger type.',
    // NVIDIA AI Enterprise 8.1, "Multi-vGPU": by board and type, all of one board type and series; nothing on a shared card.
    condition:
      'NVIDIA supports several vGPUs per server by board and vGPU type, all of one board type and series. Whether they may share one card is not documented: request each vGPU in a numbered group with group_policy=isolate.',
    link: 'https://bugs.launchpad.net/nova/+bug/1758086',
  },
  persistentMdevs: {
    title: 'Persistent mdevs',
    rule: 'persistentMdevs',
    otherwise: 'libvirt has no definition of an mdev, so mdevs are lost when the host reboots.',
    instead: "Open the host's reboot preview before a reboot.",
    condition: `The host needs ${minimumText('persistentMdevs')} or newer.`,
    link: 'https://docs.openstack.org/nova/latest/admin/virtual-gpu.html',
  },
} as const satisfies Record<string, Definition>

export type VgpuActionName = keyof typeof DEFINITIONS

/** `limited`: it can fail on every known release. */
export type VgpuActionState = 'supported' | 'fails' | 'limited' | 'unknown'

export type VgpuAction = {
  name: VgpuActionName
  title: string
  state: VgpuActionState
  /** `Nova 25 (Yoga)`; null: no release is known. */
  since: string | null
  sentence: string
  source: string
  link: string
}

/** `computes`: releases of each nova-compute with vGPUs, null where its agent reports none; absent: not known. */
type Versions = { nova: string | null; computes?: readonly (NovaRange | null)[] }

const MULTI_CREATE_SOURCE = 'doc/source/admin/virtual-gpu.rst, Caveats (bug 1874664)'
const UNREAD = "Nova's release could not be read"

const join = (...sentences: (string | null)[]): string => sentences.filter((text) => text !== null).join(' ')

/** What is known of each nova-compute. `some`: a part of them lacks the behavior; `unreported`: one without a version may lack it. */
type ComputeSupport = 'all' | 'some' | 'none' | 'unreported'

const computeSupport = (
  rule: NovaRuleName,
  { range, computes }: { range: NovaRange; computes: readonly (NovaRange | null)[] | undefined },
): ComputeSupport => {
  const known = computes?.map((compute) => rangeHas(compute, rule)) ?? []
  if (known.length > 0 && known.every((has) => has === false)) return 'none'
  const isReported = known.length > 0 && known.every((has) => has !== null)
  if (!isReported && !everyComputeHas(range, rule)) return 'unreported'
  return known.includes(false) ? 'some' : 'all'
}

const judge = (
  { title, otherwise, instead, condition }: Definition,
  {
    rule,
    range,
    computes,
    unread,
  }: {
    rule: NovaRuleName
    range: NovaRange | null
    computes: readonly (NovaRange | null)[] | undefined
    unread: string
  },
): Pick<VgpuAction, 'state' | 'sentence'> => {
  const since = novaSince(rule)
  const needs = `${title}: ${since} or newer is required`
  if (range === null) return { state: 'unknown', sentence: `${needs}. ${unread}, so support is unknown.` }
  const release = rangeText(range)
  const has = rangeHas(range, rule)
  if (has === false)
    return {
      state: 'fails',
      sentence: `${needs}. nova-api runs ${release}. ${otherwise} ${instead}`,
    }
  const support = computeSupport(rule, { range, computes })
  if (support === 'none')
    return {
      state: 'fails',
      sentence: `${needs}. nova-api runs ${release}, and each nova-compute an older release. ${otherwise} ${instead}`,
    }
  if (has === null && support === 'unreported')
    return {
      state: 'unknown',
      sentence: `${needs}. nova-api runs ${release}, which have the same API version, so support is unknown.`,
    }
  const onOlder = {
    all: null,
    none: null,
    some: `On a host with an older nova-compute, this is not supported. ${otherwise}`,
    unreported: `On a host with an older nova-compute, this is not supported. ${otherwise} Check the version of nova-compute there.`,
  }[support]
  return { state: 'supported', sentence: join(`${needs}. nova-api runs ${release}.`, onOlder, condition) }
}

/** Whether an action works with vGPUs on this cloud. `unread`: why the release of Nova is unknown. */
export const vgpuAction = (
  name: VgpuActionName,
  { nova, computes }: Versions,
  unread = UNREAD,
): VgpuAction => {
  const definition: Definition = DEFINITIONS[name]
  const { title, rule, otherwise, instead, link } = definition
  if (rule === null)
    return {
      name,
      title,
      state: 'limited',
      since: null,
      sentence: `${title} is limited on all releases up to ${newestRelease()} (bug 1874664). ${otherwise} ${instead}`,
      source: MULTI_CREATE_SOURCE,
      link,
    }
  const judged = judge(definition, { rule, range: novaRange(nova), computes, unread })
  return { name, title, ...judged, since: novaSince(rule), source: NOVA_RULES[rule].source, link }
}

/** The sentence of an action, for plans, findings and pages. */
export const vgpuActionSentence = (name: VgpuActionName, versions: Versions): string =>
  vgpuAction(name, versions).sentence

/** In the order of the page. */
export const VGPU_ACTION_NAMES = Object.keys(DEFINITIONS) as VgpuActionName[]

/** Why an action does not work on a host of a cloud in which it works, as the end of a sentence about the host; null: nothing is known. */
export const olderComputeReason = (name: VgpuActionName, compute: NovaRange | null): string | null => {
  const { rule }: Definition = DEFINITIONS[name]
  if (rule === null || compute === null || rangeHas(compute, rule) !== false) return null
  return `runs ${rangeText(compute)}, ${novaSince(rule)} or newer is required`
}
