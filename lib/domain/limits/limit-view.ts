import { type ApiQuota, readApiQuotas } from '@/lib/domain/cloud/api-quota'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { knownDriver } from '@/lib/domain/cloud/known-driver'
import type { LimitFacts, RegisteredLimit } from '@/lib/domain/cloud/types'
import { PLAIN_CLASSES } from '@/lib/domain/fit/flavor-request'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { effectiveOptions } from '@/lib/domain/nova-config/effective-options'
import { novaHas } from '@/lib/domain/nova-config/nova-releases'
import { configBool } from '@/lib/domain/nova-config/python-values'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'

/** Limits as Nova's oslo.limit would look them up. */
export type LimitView = {
  limits: LimitFacts
  /** Rows of Nova's service, in any region. */
  registered: readonly RegisteredLimit[]
  /** Rows that Nova finds: of its service and its endpoint's region exactly (oslo_limit/limit.py). */
  effective: ReadonlyMap<string, RegisteredLimit>
  /** Nova 31 (2025.1) and newer: -1 is unlimited and a class without a limit is not 0. Null: the release is not known. */
  isUnlimitedKnown: boolean | null
}

/** Keystone answers 403 to a change or deletion of a registered limit while a project limit refers to it. */
export const hasProjectLimits = (
  { limits }: LimitView,
  { serviceId, regionId, resourceName }: RegisteredLimit,
): boolean =>
  (limits.project ?? []).some(
    (row) => row.serviceId === serviceId && row.regionId === regionId && row.resourceName === resourceName,
  )

/** Hosts whose nova.conf counts: those of Nova's API where an agent reports from one, else all, whose file may be the same. */
const configsOf = (fleet: Fleet): { host: string; config: NovaConfig }[] => {
  const apis = new Set(speakingApis(fleet).map(({ host }) => host))
  return fleet.hosts.flatMap(({ host: { name, inventory, isSilent } }) => {
    const config = apis.size === 0 ? inventory.novaConfig : (inventory.host.novaApi ?? null)
    return config === null || isSilent || (apis.size > 0 && !apis.has(name)) ? [] : [{ host: name, config }]
  })
}

const speakingApis = (fleet: Fleet): ApiQuota[] => readApiQuotas(fleet).filter(({ isSilent }) => !isSilent)

type HostValue = { host: string; value: string }

/** Limits are looked up for each flavor and project, and the hosts' nova.conf is the same for all of them. */
const valuesByOption = oncePer((_: Fleet) => new Map<string, readonly HostValue[]>())

/** What each host whose nova.conf counts has for an option, of [quota] by default. */
const valuesByHost = (fleet: Fleet, name: string, section = 'quota'): readonly HostValue[] => {
  const values = valuesByOption(fleet)
  const key = `${section} ${name}`
  const found =
    values.get(key) ??
    configsOf(fleet).flatMap(({ host, config }) =>
      effectiveOptions(config)
        .filter(
          ({ present, isEffective }) => isEffective && present.section === section && present.name === name,
        )
        .map(({ option }) => ({ host, value: option.value.trim() })),
    )
  values.set(key, found)
  return found
}

/** The values of an option of [quota] over all hosts that report. */
const valuesOf = (fleet: Fleet, name: string): Set<string> =>
  new Set(valuesByHost(fleet, name).map(({ value }) => value))

/** `ctl-1: nova.quota.UnifiedLimitsDriver` for each host whose nova.conf names a quota driver. */
export const quotaDriverLines = (fleet: Fleet): string[] =>
  valuesByHost(fleet, 'driver').map(({ host, value }) => `${host} reports ${value}`)

const isUsed = (fleet: Fleet, { registered }: LimitView): boolean => {
  const { driver } = knownDriver(fleet)
  if (driver !== null) return driver === 'unified'
  return (
    [...valuesOf(fleet, 'driver')].some((value) => /UnifiedLimitsDriver$/.test(value)) ||
    registered.some(({ resourceName }) => resourceName.startsWith('class:'))
  )
}

/**
 * Null if limits in Keystone have no effect as far as is known: nova.conf of Nova's API does not name the unified limits
 * driver, by its agents or by an admin's answer. If neither is known: no other nova.conf names it, and no `class:` limit
 * was registered for Nova.
 */
export const limitView = (fleet: Fleet): LimitView | null => {
  const view = limitTable(fleet)
  return view !== null && isUsed(fleet, view) ? view : null
}

/** Whether they have any effect or not; null when Keystone's limits were never read. */
export const limitTable = (fleet: Fleet): LimitView | null => {
  const limits = fleet.input.facts.limits.value
  if (limits === null) return null
  const registered = limits.registered.filter(({ serviceId }) => serviceId === limits.novaServiceId)
  const effective = registered.filter(({ regionId }) => regionId === limits.novaRegionId)
  return {
    limits,
    registered,
    effective: new Map(effective.map((row) => [row.resourceName, row])),
    isUnlimitedKnown: novaHas(fleet.input.facts.versions.nova, 'limitMinusOneUnlimited'),
  }
}

/** Looked up for each flavor and project without a limit, and equal for all of them. */
const requirementOf = oncePer((fleet: Fleet): { strategy: string; listed: ReadonlySet<string> } => {
  const [strategy = 'require'] = valuesOf(fleet, 'unified_limits_resource_strategy')
  const [list = 'servers'] = valuesOf(fleet, 'unified_limits_resource_list')
  return { strategy, listed: new Set(list.split(',').map((entry) => entry.trim())) }
})

/** Whether Nova 31 and newer treats a name without a registered limit as 0, by the options that hosts show. */
export const isRequired = (fleet: Fleet, name: string): boolean => {
  const { strategy, listed } = requirementOf(fleet)
  return strategy === 'ignore' ? !listed.has(name) : listed.has(name)
}

/**
 * Whether Nova counts PCPU as VCPU: `[workarounds] unified_limits_count_pcpu_as_vcpu`, off by default. One host of several that has it
 * is enough, since a server can meet that one.
 */
export const countsPcpuAsVcpu = oncePer((fleet: Fleet): boolean =>
  valuesByHost(fleet, 'unified_limits_count_pcpu_as_vcpu', 'workarounds').some(
    ({ value }) => configBool(value) === true,
  ),
)

/** The resource classes that enabled flavors for GPUs ask for, with one such flavor's name. */
export const requestedClasses = (fleet: Fleet): Map<string, string> =>
  new Map(
    gpuFlavors(fleet)
      .filter(({ classes }) => classes.length > 0)
      .flatMap(({ request, flavor }) =>
        request.groups.flatMap(({ resources }) =>
          Object.keys(resources).map((name) => [name, flavor.name] as const),
        ),
      ),
  )

/** The same of every enabled flavor, but for classes of GPUs, computers and disks: accelerators, network bandwidth. */
export const otherClasses = (fleet: Fleet): Map<string, string> =>
  new Map(
    gpuFlavors(fleet).flatMap(({ request, flavor, classes }) =>
      request.groups.flatMap(({ resources }) =>
        Object.keys(resources)
          .filter((name) => !classes.includes(name) && !PLAIN_CLASSES.has(name))
          .map((name) => [name, flavor.name] as const),
      ),
    ),
  )
