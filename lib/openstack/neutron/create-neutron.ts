import * as z from 'zod'
import { OpenStackError } from '../openstack-error'
import { parseAnswer } from '../parse-answer'
import type { OpenStackSession } from '../session/types'
import type { RequestMeter } from '../transport/types'

const linksSchema = z.array(z.object({ rel: z.string(), href: z.string() })).optional()

export const agentsSchema = z.object({
  agents: z.array(z.object({ host: z.string(), agent_type: z.string(), alive: z.boolean() })),
  agents_links: linksSchema,
})

export const networksSchema = z.object({
  networks: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      project_id: z.string().nullish(),
      shared: z.boolean().default(false),
      subnets: z.array(z.string()).default([]),
    }),
  ),
  networks_links: linksSchema,
})

export const securityGroupsSchema = z.object({
  security_groups: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      project_id: z.string().nullish(),
      /** Since Wallaby, of groups that another project shares. */
      shared: z.boolean().default(false),
    }),
  ),
  security_groups_links: linksSchema,
})

/** `isAlive`: Neutron received its heartbeat within agent_down_time. */
export type NetworkAgent = { host: string; type: string; isAlive: boolean }

/** `hasSubnet`: Nova refuses servers on a network without one. */
export type Network = { id: string; name: string; isOwn: boolean; hasSubnet: boolean }
export type SecurityGroup = { id: string; name: string }

/** Every function throws OpenStackError. */
export type NeutronClient = {
  /** Agents of all hosts. By default Neutron lists agents to admins only (policy get_agent). */
  listAgents: () => Promise<NetworkAgent[]>
  /** Networks of a project, and those that others share with it: an admin would receive those of all projects. */
  listNetworks: (projectId: string) => Promise<Network[]>
  /** Likewise. */
  listSecurityGroups: (projectId: string) => Promise<SecurityGroup[]>
}

const MAX_PAGES = 100

type ListInput<Schema extends z.ZodType, Item> = {
  schema: Schema
  path: string
  fields: readonly string[]
  itemsOf: (page: z.infer<Schema>) => readonly Item[]
  linksOf: (page: z.infer<Schema>) => z.infer<typeof linksSchema>
}

/** Only the query of a link is used: behind a proxy its host may be one that cannot be reached. */
const nextQuery = (links: z.infer<typeof linksSchema>): string | null =>
  links?.find(({ rel }) => rel === 'next')?.href.split('?')[1] ?? null

const createList =
  ({ account, meter }: { account: OpenStackSession; meter: RequestMeter | undefined }) =>
  async <Schema extends z.ZodType, Item>(input: ListInput<Schema, Item>): Promise<Item[]> => {
    const { cloud } = account
    const items: Item[] = []
    // One page, unless [DEFAULT] pagination_max_limit is set.
    let query: string | null = input.fields.map((name) => `fields=${name}`).join('&')
    for (let page = 0; query !== null; page += 1) {
      if (page === MAX_PAGES)
        throw new OpenStackError(
          `Neutron of cloud "${cloud}" links to more than ${MAX_PAGES} pages of ${input.path}; raise [DEFAULT] pagination_max_limit.`,
          { kind: 'invalid-answer', service: 'neutron', cloud },
        )
      const path = `${input.path}?${query}`
      const answer = await account.request({ service: 'neutron', method: 'GET', path, meter })
      const what = `GET /v2.0${input.path}`
      const read = parseAnswer({ schema: input.schema, answer, service: 'neutron', cloud, what })
      items.push(...input.itemsOf(read))
      query = nextQuery(input.linksOf(read))
    }
    return items
  }

const isFor =
  (projectId: string) =>
  ({ project_id, shared }: { project_id?: string | null | undefined; shared: boolean }): boolean =>
    shared || project_id === projectId

/** Neutron as this account sees it. */
export const createNeutron = ({
  account,
  meter,
}: {
  account: OpenStackSession
  meter?: RequestMeter | undefined
}): NeutronClient => {
  const list = createList({ account, meter })
  return {
    listAgents: () =>
      list({
        schema: agentsSchema,
        path: '/agents',
        fields: ['host', 'agent_type', 'alive'],
        itemsOf: ({ agents }) =>
          agents.map(({ host, agent_type, alive }) => ({ host, type: agent_type, isAlive: alive })),
        linksOf: ({ agents_links }) => agents_links,
      }),
    listNetworks: (projectId) =>
      list({
        schema: networksSchema,
        path: '/networks',
        fields: ['id', 'name', 'project_id', 'shared', 'subnets'],
        itemsOf: ({ networks }) =>
          networks.filter(isFor(projectId)).map(({ id, name, project_id, subnets }) => ({
            id,
            name,
            isOwn: project_id === projectId,
            hasSubnet: subnets.length > 0,
          })),
        linksOf: ({ networks_links }) => networks_links,
      }),
    listSecurityGroups: (projectId) =>
      list({
        schema: securityGroupsSchema,
        path: '/security-groups',
        fields: ['id', 'name', 'project_id', 'shared'],
        itemsOf: (page) =>
          page.security_groups.filter(isFor(projectId)).map(({ id, name }) => ({ id, name })),
        linksOf: (page) => page.security_groups_links,
      }),
  }
}
