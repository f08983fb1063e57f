import { optionValue } from '@/lib/domain/nova-config/option-value'
import { configBool } from '@/lib/domain/nova-config/python-values'
import type { Fleet, JoinedHost } from './fleet-types'
import { isSameOrNewer } from './version'

export const RESUME_OPTION = 'resume_guests_state_on_host_boot'

/**
 * Whether nova-compute starts guests again that ran before a reboot of their host; off by default. Null: nova.conf was not
 * read, or the agent is older than the console and may not report the option.
 * Source: nova/compute/manager.py _init_instance, nova/conf/compute.py resume_guests_state_on_host_boot.
 */
export const resumesGuests = ({ input }: Pick<Fleet, 'input'>, { host }: JoinedHost): boolean | null => {
  const config = host.inventory.novaConfig
  if (config === null) return null
  const value = optionValue(config, { section: 'DEFAULT', name: RESUME_OPTION })
  if (value !== null) return configBool(value)
  const isOutdated =
    input.currentAgentVersion !== null &&
    isSameOrNewer(host.agentVersion, input.currentAgentVersion) === false
  return isOutdated ? null : false
}
