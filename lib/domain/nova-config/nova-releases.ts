import { listText } from '@/lib/domain/wording'

/** Highest compute microversion of each release, newest first (nova/api/openstack/compute/rest_api_version_history.rst). */
const MICROVERSIONS: readonly (readonly [minor: number, release: number])[] = [
  [104, 34],
  [103, 33],
  [100, 31],
  [96, 29],
  [95, 27],
  [93, 26],
  [90, 24],
  [88, 23],
  [87, 21],
  [79, 20],
  [72, 19],
  [65, 18],
  [60, 17],
  [53, 16],
  [42, 15],
  [38, 14],
]

const NAMES: Readonly<Record<number, string>> = {
  24: 'Xena',
  25: 'Yoga',
  26: 'Zed',
  27: '2023.1',
  28: '2023.2',
  29: '2024.1',
  30: '2024.2',
  31: '2025.1',
  32: '2025.2',
  33: '2026.1',
  34: '2026.2',
}

/** Whether the table describes a release of Nova, by its number. */
export const isDescribedRelease = (release: number): boolean => Object.hasOwn(NAMES, release)

/** Releases of Nova that offer a microversion: 2.100 is that of 31 (2025.1) and of 32 (2025.2). Ends included. */
export type NovaRange = { min: number; max: number }

/** Null: the microversion is unknown, or older than Newton's. */
export const novaRange = (microversion: string | null): NovaRange | null => {
  const minor = Number(/^2\.(\d{1,4})$/.exec(microversion ?? '')?.[1] ?? Number.NaN)
  const index = MICROVERSIONS.findIndex(([highest]) => minor >= highest)
  const found = MICROVERSIONS[index]
  if (found === undefined) return null
  const next = MICROVERSIONS[index - 1]
  return { min: found[1], max: next === undefined ? Number.POSITIVE_INFINITY : next[1] - 1 }
}

/** The oldest Nova of a range, from 21 (Ussuri) on; null when it is unknown or older. */
export const releaseOfRange = (range: NovaRange | null): number | null =>
  range === null || range.min < 21 ? null : range.min

/** The same of a microversion such as `2.96`. */
export const releaseOfMicroversion = (version: string | null): number | null =>
  releaseOfRange(novaRange(version))

/** Placement schedules since Nova 15. A version below is that of a checkout without tags, such as 0.0.1.dev1. */
const OLDEST_VERSION = 12

/**
 * Which releases the nova-compute of a host may be, by the version that its agent reports: during an upgrade it is older than
 * nova-api. Without a version the range of the cloud.
 */
export const computeRange = (version: string | null, cloud: NovaRange | null): NovaRange | null => {
  const release = Number(/^(\d{1,4})\./.exec(version ?? '')?.[1] ?? Number.NaN)
  return release >= OLDEST_VERSION ? { min: release, max: release } : cloud
}

type NovaRule = {
  /** First release with the behavior. */
  since: number
  /** A later minor release of the release before that has it too. */
  backport?: string
  /** What the release brought, as the end of "Nova 29 and newer: …". */
  what: string
  /** File in Nova's source with function or option, or the release note. */
  source: string
  /** Oldest versions on the host with which the behavior works. */
  minimum?: Readonly<Partial<Record<'libvirt' | 'QEMU' | 'kernel', string>>>
}

/**
 * Everything that differs between releases of Nova for GPUs. Detectors, plans and texts ask this table by `novaHas`; nothing else
 * compares releases (scripts/testing/nova-releases.test.ts).
 */
export const NOVA_RULES = {
  placementScheduling: {
    since: 15,
    what: 'servers are scheduled by Placement, whose root provider has the name of the hypervisor',
    source: 'release note of 15.0.0; nova/scheduler/client/report.py',
  },
  vgpuRescue: {
    since: 18,
    what: 'a server with a vGPU can be rescued',
    source: 'nova 1c59397e09 (bug 1762688)',
  },
  vgpuColdMigration: {
    since: 21,
    what: 'a server with a vGPU can be resized and cold-migrated',
    source: 'doc/source/admin/virtual-gpu.rst, Caveats (bug 1778563)',
  },
  providerConfig: {
    since: 21,
    what: 'provider config files are read',
    source: 'nova/compute/provider_config.py',
  },
  mdevOptionNames: {
    since: 24,
    what: 'the options are [devices] enabled_mdev_types and [mdev_TYPE], formerly enabled_vgpu_types and [vgpu_TYPE]',
    source: 'nova/conf/devices.py; release note generic_mdevs',
  },
  mdevClass: {
    since: 24,
    what: '[mdev_TYPE] mdev_class names a resource class',
    source: 'nova/conf/devices.py; release note generic_mdevs_2',
  },
  vgpuSuspend: {
    since: 25,
    what: 'a server with a vGPU can be suspended and resumed',
    source: 'nova 16f7c601b6 (bug 1948705)',
  },
  pciReport: {
    since: 26,
    what: '[pci] report_in_placement puts PCI devices into Placement',
    source: 'nova/conf/pci.py; nova/compute/pci_placement_translator.py',
  },
  pciInPlacement: {
    since: 27,
    what: '[filter_scheduler] pci_in_placement schedules PCI aliases by Placement',
    source: 'nova/conf/scheduler.py; nova/objects/request_spec.py generate_request_groups_from_pci_requests',
  },
  aliasClassAndTraits: {
    since: 27,
    what: 'an alias may have resource_class and traits',
    source: 'nova/pci/request.py _ALIAS_SCHEMA',
  },
  computeIdFile: {
    since: 27,
    what: 'nova-compute keeps its uuid in the file compute_id of its state path',
    source: 'nova/virt/node.py',
  },
  typesByAddress: {
    since: 29,
    what: 'a single enabled type honors device_addresses and mdev_class, and one type without addresses is the default next to others. Before, one enabled type is that of every card with the class VGPU, and a type without addresses leaves only the first type, on every card',
    source: 'nova/virt/libvirt/driver.py _get_supported_vgpu_types (c28494fd27)',
  },
  maxInstances: {
    since: 29,
    what: '[mdev_TYPE] max_instances bounds a type on a host',
    source: 'nova/conf/devices.py; nova/virt/libvirt/driver.py _get_gpu_inventories (60851e4464)',
  },
  mdevLiveMigration: {
    since: 29,
    what: 'servers with mdevs are live-migrated',
    source: 'release note bp-libvirt-mdev-live-migrate; doc/source/admin/virtual-gpu.rst, Caveats',
    minimum: { libvirt: '8.6.0', QEMU: '8.1.0', kernel: '5.18' },
  },
  persistentMdevs: {
    since: 30,
    what: 'mdevs are defined in libvirt (7.3 and newer), and nova-compute starts each defined mdev at its start',
    source: 'nova/virt/libvirt/driver.py _start_inactive_mediated_devices; release note persistent-mdevs',
    minimum: { libvirt: '7.3' },
  },
  noMdevLookUp: {
    since: 32,
    what: 'nova-compute no longer looks up and recreates the mdevs of its servers at its start',
    source: 'nova/virt/libvirt/driver.py, _recreate_assigned_mediated_devices up to 2025.1',
  },
  vfioLiveMigration: {
    since: 31,
    what: 'VFs of vendor VFIO that device_spec and alias mark live_migratable are live-migrated',
    source:
      'nova/virt/libvirt/driver.py; release note of 31.0.0 (spec migrate-vfio-devices-using-kernel-variant-drivers)',
  },
  aliasLiveMigratable: {
    since: 31,
    what: 'an alias may have live_migratable',
    source: 'nova/pci/request.py _ALIAS_SCHEMA; nova/pci/stats.py _filter_pools_for_live_migratable_devices',
  },
  deviceSpecBooleans: {
    since: 31,
    what: 'managed and live_migratable of device_spec must be a boolean',
    source: 'nova/pci/devspec.py _normalize_device_spec_tag',
  },
  limitMinusOneUnlimited: {
    since: 31,
    what: '-1 means unlimited, and a class without a registered limit is not 0 by default',
    source: 'nova/limit/utils.py should_enforce; nova/conf/quota.py unified_limits_resource_strategy',
  },
  aliasCheckAtStart: {
    since: 32,
    backport: '31.3.1',
    what: 'nova-api and nova-compute check every alias at their start: ids, or a class with pci_in_placement',
    source: 'nova/pci/request.py _validate_aliases (acc6221660, ae064caf16, bug 2111440)',
  },
  oneTimeUse: {
    since: 32,
    what: 'device_spec may have one_time_use, with report_in_placement only',
    source: 'nova/pci/devspec.py; release note one-time-use-devices',
  },
  exactHostdevs: {
    since: 32,
    what: 'a server gets exactly the VFs that its alias requests',
    source: 'release note bug-2098496',
  },
  severalVgpuGroups: {
    since: 33,
    what: 'the vGPUs of every request group are attached, not those of the first only',
    source: 'release note bug-1758086 (55a36f8f6a)',
  },
  waitsForTasks: {
    since: 33,
    what: 'nova-compute waits 160 s for its tasks before it ends ([DEFAULT] manager_shutdown_timeout)',
    source: 'nova/conf/base.py; nova/compute/manager.py graceful_shutdown',
  },
  limitsCountAliases: {
    since: 34,
    what: 'unified limits count PCI aliases before a server is created',
    source: 'release note fix-unified-limits-pci (bug 2140631)',
  },
  liveMigratableTrait: {
    since: 34,
    what: 'a device whose device_spec has live_migratable has the trait HW_PCI_LIVE_MIGRATABLE',
    source: 'nova/compute/pci_placement_translator.py _get_traits_for_dev (262acaff61)',
  },
  ownerNova: {
    since: 34,
    what: 'providers of Nova have OWNER_NOVA, which the scheduler requires of compute nodes and of PCI devices in Placement',
    source: 'nova/scheduler/request_filter.py owner_nova_filter; release note owner-nova-trait',
  },
  virtualMdevParents: {
    since: 34,
    what: 'device_addresses may name a virtual parent such as mtty_mtty',
    source: 'nova/virt/libvirt/driver.py _validate_device_address',
  },
} as const satisfies Record<string, NovaRule>

export type NovaRuleName = keyof typeof NOVA_RULES

/** `libvirt 8.6.0, QEMU 8.1.0 and kernel 5.18`: the oldest versions on the host with which a behavior works. */
export const minimumText = (rule: NovaRuleName): string => {
  const { minimum = {} }: NovaRule = NOVA_RULES[rule]
  return listText(Object.entries(minimum).map(([name, version]) => `${name} ${version}`))
}

/** Whether a release has a behavior; null: releases of the range differ, or the release is unknown. */
export const rangeHas = (range: NovaRange | null, rule: NovaRuleName): boolean | null => {
  if (range === null) return null
  const { since, backport }: NovaRule = NOVA_RULES[rule]
  if (range.min >= since) return true
  const isBefore = range.max < since && (backport === undefined || range.max < since - 1)
  return isBefore ? false : null
}

/** Whether two ranges have the same behaviors, so that a description by the rules of one is valid for the other. */
export const haveSameRules = (a: NovaRange | null, b: NovaRange | null): boolean =>
  (Object.keys(NOVA_RULES) as NovaRuleName[]).every((rule) => rangeHas(a, rule) === rangeHas(b, rule))

/** Whether a release has a behavior, by Nova's highest microversion, as `2.96`; null: not known. */
export const novaHas = (microversion: string | null, rule: NovaRuleName): boolean | null =>
  rangeHas(novaRange(microversion), rule)

/** Whether a release has a behavior. */
export const releaseHas = (release: number, rule: NovaRuleName): boolean => release >= NOVA_RULES[rule].since

/**
 * Nova's services do not start while an older nova-compute than that of the previous release is up. Since 27 (2023.1) it may
 * be two releases older. Source: nova/utils.py raise_if_old_compute; nova/objects/service.py OLDEST_SUPPORTED_SERVICE_VERSION.
 */
const COMPUTE_LAG = 2

/** Whether every nova-compute has a behavior, although only nova-api reports its release. */
export const everyComputeHas = (range: NovaRange, rule: NovaRuleName): boolean =>
  releaseHas(range.min - COMPUTE_LAG, rule)

/** `Nova 34 (2026.2)`: the newest release that the table describes. */
export const newestRelease = (): string =>
  `Nova ${MICROVERSIONS[0]?.[1]} (${NAMES[MICROVERSIONS[0]?.[1] ?? 0]})`

/** The release before the one that brought a behavior. */
export const releaseBefore = (rule: NovaRuleName): number => NOVA_RULES[rule].since - 1

/** `2025.1 or 2025.2` for 2.100, `between 2025.2 and 2026.1` for 2.101; null: the microversion is unknown. */
export const releaseNames = (microversion: string | null): string | null => {
  const minor = Number(/^2\.(\d{1,4})$/.exec(microversion ?? '')?.[1] ?? Number.NaN)
  const range = novaRange(microversion)
  const newest = MICROVERSIONS[0]
  if (Number.isNaN(minor) || newest === undefined) return null
  if (range === null || NAMES[range.min] === undefined) return `older than ${NAMES[24]}`
  if (minor > newest[0]) return `newer than ${NAMES[newest[1]]}`
  const last = Math.min(range.max, newest[1])
  if (!MICROVERSIONS.some(([highest]) => highest === minor))
    return `between ${NAMES[last]} and ${NAMES[last + 1]}`
  return last === range.min ? (NAMES[last] ?? null) : `${NAMES[range.min]} or ${NAMES[last]}`
}

/** `Nova 29 (2024.1)`: the first release with a behavior. */
export const novaSince = (rule: NovaRuleName): string => {
  const { since } = NOVA_RULES[rule]
  const name = NAMES[since]
  return name === undefined ? `Nova ${since}` : `Nova ${since} (${name})`
}

/** `Nova 31.3.1, 32.0.0 and newer`: every minor release with a behavior. */
export const novaAndNewer = (rule: NovaRuleName): string => {
  const { since, backport }: NovaRule = NOVA_RULES[rule]
  return `Nova ${backport === undefined ? '' : `${backport}, `}${since}.0.0 and newer`
}

/** `Nova 31 or 32`, `Nova 33`, `Nova 34 or newer`. */
export const rangeText = ({ min, max }: NovaRange): string => {
  if (min === max) return `Nova ${min}`
  return max === Number.POSITIVE_INFINITY ? `Nova ${min} or newer` : `Nova ${min} or ${max}`
}
