import * as z from 'zod'
import { parseAnswer } from '../parse-answer'
import type { OpenStackSession } from '../session/types'
import { toQuery } from '../to-query'

const agentsSchema = z.object({
  agents: z.array(z.object({ host: z.string(), agent_type: z.string() })),
})

export type NeutronClient = {
  /** Types of the agents of a host; Neutron shows them to admins and readers of the system only. @throws OpenStackError */
  listAgentTypes: (host: string) => Promise<string[]>
  /** Whether the account sees any agent: without permission Neutron answers with an empty list. @throws OpenStackError */
  seesAgents: () => Promise<boolean>
}

/** Neutron as this account sees it. */
export const createNeutron = ({ account }: { account: OpenStackSession }): NeutronClient => {
  const list = async (filters: Readonly<Record<string, string>>) => {
    const path = `/agents${toQuery(filters)}`
    const answer = await account.request({ service: 'neutron', method: 'GET', path })
    const what = 'GET /v2.0/agents'
    return parseAnswer({ schema: agentsSchema, answer, service: 'neutron', cloud: account.cloud, what })
      .agents
  }
  return {
    listAgentTypes: async (host) =>
      (await list({ host })).filter((agent) => agent.host === host).map(({ agent_type }) => agent_type),
    seesAgents: async () => (await list({ limit: '1' })).length > 0,
  }
}
