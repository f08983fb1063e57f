import { demoNetworks, demoSecurityGroups } from '../demo-cloud/networks'

type NeutronAgent = { host: string; agentType: string; isAlive: boolean }

export type Network = {
  id: string
  name: string
  projectId: string
  isShared: boolean
  /** `router:external`: all projects see it, and only admins may create ports on it. */
  isExternal: boolean
  subnetIds: string[]
}

export type SecurityGroup = { id: string; name: string; projectId: string }

export type NeutronState = {
  /** In addition to those of the hypervisors. */
  agents: NeutronAgent[]
  /** Each hypervisor has a live Open vSwitch agent under its own name. */
  hasHypervisorAgents: boolean
  /** As for an account that the policy get_agent does not allow. */
  isListEmpty: boolean
  /** `[DEFAULT] pagination_max_limit`; null: one page has all. */
  pageSize: number | null
  networks: Network[]
  securityGroups: SecurityGroup[]
}

export const createNeutronState = (): NeutronState => ({
  agents: [],
  hasHypervisorAgents: true,
  isListEmpty: false,
  pageSize: null,
  networks: demoNetworks(),
  securityGroups: demoSecurityGroups(),
})
