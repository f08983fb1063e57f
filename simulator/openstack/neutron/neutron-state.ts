type NeutronAgent = { host: string; agentType: string; isAlive: boolean }

export type NeutronState = {
  /** In addition to those of the hypervisors. */
  agents: NeutronAgent[]
  /** Each hypervisor has a live Open vSwitch agent under its own name. */
  hasHypervisorAgents: boolean
  /** As for an account that the policy get_agent does not allow. */
  isListEmpty: boolean
  /** `[DEFAULT] pagination_max_limit`; null: one page has all agents. */
  pageSize: number | null
}

export const createNeutronState = (): NeutronState => ({
  agents: [],
  hasHypervisorAgents: true,
  isListEmpty: false,
  pageSize: null,
})
