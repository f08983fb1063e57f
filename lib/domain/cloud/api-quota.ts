import { effectiveOptions, optionSource } from '@/lib/domain/nova-config/effective-options'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { CloudHostFacts } from './fleet-types'

/** A value with the line that sets it. */
type ReportedOption = { value: string; source: string } | null

/** What the nova.conf of one host of Nova's API sets about limits. */
export type ApiQuota = {
  host: string
  isSilent: boolean
  /** Null: not set, so that Nova's own database holds the quotas. */
  driver: ReportedOption
  endpointId: ReportedOption
  endpointServiceType: ReportedOption
  userName: ReportedOption
  systemScope: ReportedOption
  /** Another section with the account's settings. */
  authSection: ReportedOption
}

const reportedOption = (config: NovaConfig, section: string, names: readonly string[]): ReportedOption => {
  const found = effectiveOptions(config).find(
    ({ present, isEffective }) => isEffective && present.section === section && names.includes(present.name),
  )
  return found === undefined ? null : { value: found.option.value.trim(), source: optionSource(found.option) }
}

type Speaker = Pick<CloudHostFacts, 'name' | 'inventory' | 'isSilent'>

/** The hosts of a fleet, or as many of their facts as tell of Nova's API. */
export type Speakers = { hosts: readonly { host: Speaker }[] }

const quotaOf = ({ name, inventory, isSilent }: Speaker): ApiQuota | null => {
  const api = inventory.host.novaApi ?? null
  if (api === null) return null
  const ofLimits = (...names: string[]) => reportedOption(api, 'oslo_limit', names)
  return {
    host: name,
    isSilent,
    driver: reportedOption(api, 'quota', ['driver']),
    endpointId: ofLimits('endpoint_id'),
    endpointServiceType: ofLimits('endpoint_service_type', 'endpoint_service_name'),
    userName: ofLimits('username', 'user_name'),
    systemScope: ofLimits('system_scope'),
    authSection: ofLimits('auth_section'),
  }
}

/**
 * What agents on hosts of Nova's API read of `[quota]` and `[oslo_limit]`; empty: none reports from such a host. A host
 * that reports neither section is left out: agents before 0.1 send the aliases alone, so a missing section does not prove
 * the default.
 */
export const readApiQuotas = ({ hosts }: Speakers): ApiQuota[] =>
  hosts.flatMap(({ host }) => {
    const quota = quotaOf(host)
    if (quota === null) return []
    const { host: _, isSilent: _silent, ...values } = quota
    return Object.values(values).some((value) => value !== null) ? [quota] : []
  })

const UNIFIED = /UnifiedLimitsDriver$/

export const isUnified = ({ driver }: ApiQuota): boolean => UNIFIED.test(driver?.value ?? '')

/** What is wrong with `[oslo_limit]` of a host, each as the end of "…: "; empty: nothing. */
export const osloLimitFaults = (
  { endpointId, endpointServiceType, systemScope, userName, authSection }: ApiQuota,
  { endpointId: wanted, user }: { endpointId: string | null; user: string },
): string[] => {
  const faults: string[] = []
  if (endpointId === null && endpointServiceType === null)
    faults.push('endpoint_id is missing, so Nova’s limits are not found')
  else if (endpointId !== null && wanted !== null && endpointId.value !== wanted)
    faults.push(`endpoint_id is ${endpointId.value}, and Nova’s public endpoint is ${wanted}`)
  if (authSection !== null) return faults
  if (systemScope === null) faults.push('system_scope = all is missing')
  else if (systemScope.value !== 'all') faults.push(`system_scope is ${systemScope.value} instead of all`)
  if (userName === null) faults.push('username is missing')
  else if (userName.value !== user) faults.push(`username is ${userName.value}, and ${user} was checked`)
  return faults
}
