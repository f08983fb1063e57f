import * as z from 'zod'
import { OpenStackError } from '../openstack-error'
import { parseAnswer } from '../parse-answer'
import type { OpenStackSession } from '../session/types'
import type { RequestMeter } from '../transport/types'

const agentsSchema = z.object({
  agents: z.array(z.object({ host: z.string(), agent_type: z.string(), alive: z.boolean() })),
  agents_links: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
})

/** `isAlive`: Neutron received its heartbeat within agent_down_time. */
export type NetworkAgent = { host: string; type: string; isAlive: boolean }

export type NeutronClient = {
  /** Agents of all hosts. By default Neutron lists agents to admins only (policy get_agent). @throws OpenStackError */
  listAgents: () => Promise<NetworkAgent[]>
}

const PATH = '/agents'
const FIELDS = 'fields=host&fields=agent_type&fields=alive'
const MAX_PAGES = 100

/** Only the query of a link is used: behind a proxy its host may be one that cannot be reached. */
const nextQuery = (links: z.infer<typeof agentsSchema>['agents_links']): string | null =>
  links?.find(({ rel }) => rel === 'next')?.href.split('?')[1] ?? null

/** Neutron as this account sees it. */
export const createNeutron = ({
  account,
  meter,
}: {
  account: OpenStackSession
  meter?: RequestMeter | undefined
}): NeutronClient => ({
  listAgents: async () => {
    const agents: NetworkAgent[] = []
    // One page, unless [DEFAULT] pagination_max_limit is set.
    let query: string | null = FIELDS
    for (let page = 0; query !== null; page += 1) {
      if (page === MAX_PAGES)
        throw new OpenStackError(
          `Neutron of cloud "${account.cloud}" links to more than ${MAX_PAGES} pages of agents; raise [DEFAULT] pagination_max_limit.`,
          { kind: 'invalid-answer', service: 'neutron', cloud: account.cloud },
        )
      const path = `${PATH}?${query}`
      const answer = await account.request({ service: 'neutron', method: 'GET', path, meter })
      const what = 'GET /v2.0/agents'
      const read = parseAnswer({
        schema: agentsSchema,
        answer,
        service: 'neutron',
        cloud: account.cloud,
        what,
      })
      for (const { host, agent_type, alive } of read.agents)
        agents.push({ host, type: agent_type, isAlive: alive })
      query = nextQuery(read.agents_links)
    }
    return agents
  },
})
