import * as z from 'zod'
import type { KeystoneCall } from './keystone-call'
import { listPages, wholeList } from './keystone-pages'
import type { Keystone, KeystoneProject } from './types'

export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  domain_id: z.string().nullish(),
  enabled: z.boolean().default(true),
  description: z.string().nullish(),
})
export const projectsSchema = z.object({ projects: z.array(projectSchema) })

export const domainsSchema = z.object({
  domains: z.array(z.object({ id: z.string(), name: z.string(), enabled: z.boolean().default(true) })),
})
export const regionsSchema = z.object({
  regions: z.array(
    z.object({
      id: z.string(),
      parent_region_id: z.string().nullish(),
      description: z.string().nullish(),
    }),
  ),
})
export const servicesSchema = z.object({
  services: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      name: z.string().nullish(),
      enabled: z.boolean().default(true),
    }),
  ),
})
export const endpointsSchema = z.object({
  endpoints: z.array(
    z.object({
      id: z.string(),
      service_id: z.string(),
      region_id: z.string().nullish(),
      interface: z.string(),
      url: z.string(),
      enabled: z.boolean().default(true),
    }),
  ),
})

const toProject = (raw: z.infer<typeof projectSchema>): KeystoneProject => ({
  id: raw.id,
  name: raw.name,
  domainId: raw.domain_id ?? '',
  isEnabled: raw.enabled,
  description: raw.description ?? null,
})

type Lists = Pick<
  Keystone,
  'listProjects' | 'listDomains' | 'listAllProjects' | 'listRegions' | 'listServices' | 'listEndpoints'
>

export const createKeystoneLists = (call: KeystoneCall): Lists => ({
  // Keystone limits neither of the two lists below /auth (keystone/api/auth.py: wrap_collection without hints).
  listProjects: async (tokenId) => {
    const input = {
      tokenId,
      path: '/auth/projects',
      what: 'projects',
      schema: projectsSchema,
      itemsOf: (page: z.output<typeof projectsSchema>) => page.projects,
    }
    return wholeList(call, await listPages(call, input)).map(toProject)
  },
  listDomains: async (tokenId) => {
    const input = {
      tokenId,
      path: '/auth/domains',
      what: 'domains',
      schema: domainsSchema,
      itemsOf: (page: z.output<typeof domainsSchema>) => page.domains,
    }
    const domains = wholeList(call, await listPages(call, input))
    return domains.map(({ id, name, enabled }) => ({ id, name, isEnabled: enabled }))
  },
  listAllProjects: async (filters) => {
    const input = {
      ...filters,
      path: '/projects',
      what: 'projects',
      schema: projectsSchema,
      itemsOf: (page: z.output<typeof projectsSchema>) => page.projects,
      isPaged: true,
    }
    const list = await listPages(call, input)
    return { ...list, items: list.items.map(toProject) }
  },
  listRegions: async (filters) => {
    const input = {
      ...filters,
      path: '/regions',
      what: 'regions',
      schema: regionsSchema,
      itemsOf: (page: z.output<typeof regionsSchema>) => page.regions,
    }
    return wholeList(call, await listPages(call, input)).map((region) => ({
      id: region.id,
      parentId: region.parent_region_id ?? null,
      description: region.description ?? null,
    }))
  },
  listServices: async (filters) => {
    const input = {
      ...filters,
      path: '/services',
      what: 'services',
      schema: servicesSchema,
      itemsOf: (page: z.output<typeof servicesSchema>) => page.services,
    }
    return wholeList(call, await listPages(call, input)).map(({ id, type, name, enabled }) => ({
      id,
      type,
      name: name ?? null,
      isEnabled: enabled,
    }))
  },
  listEndpoints: async (filters) => {
    const input = {
      ...filters,
      path: '/endpoints',
      what: 'endpoints',
      schema: endpointsSchema,
      itemsOf: (page: z.output<typeof endpointsSchema>) => page.endpoints,
    }
    return wholeList(call, await listPages(call, input)).map((endpoint) => ({
      id: endpoint.id,
      serviceId: endpoint.service_id,
      regionId: endpoint.region_id ?? null,
      interface: endpoint.interface,
      url: endpoint.url,
      isEnabled: endpoint.enabled,
    }))
  },
})
