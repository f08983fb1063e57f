import * as z from 'zod'
import type { KeystoneCall } from './keystone-call'
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
  listProjects: async (tokenId) => {
    const { projects } = await call.read(projectsSchema, { method: 'GET', path: '/auth/projects', tokenId })
    return projects.map(toProject)
  },
  listDomains: async (tokenId) => {
    const { domains } = await call.read(domainsSchema, { method: 'GET', path: '/auth/domains', tokenId })
    return domains.map(({ id, name, enabled }) => ({ id, name, isEnabled: enabled }))
  },
  listAllProjects: async ({ tokenId, meter }) => {
    const { projects } = await call.read(projectsSchema, { method: 'GET', path: '/projects', tokenId, meter })
    return projects.map(toProject)
  },
  listRegions: async ({ tokenId, meter }) => {
    const { regions } = await call.read(regionsSchema, { method: 'GET', path: '/regions', tokenId, meter })
    return regions.map((region) => ({
      id: region.id,
      parentId: region.parent_region_id ?? null,
      description: region.description ?? null,
    }))
  },
  listServices: async ({ tokenId, meter }) => {
    const { services } = await call.read(servicesSchema, { method: 'GET', path: '/services', tokenId, meter })
    return services.map(({ id, type, name, enabled }) => ({
      id,
      type,
      name: name ?? null,
      isEnabled: enabled,
    }))
  },
  listEndpoints: async ({ tokenId, meter }) => {
    const { endpoints } = await call.read(endpointsSchema, {
      method: 'GET',
      path: '/endpoints',
      tokenId,
      meter,
    })
    return endpoints.map((endpoint) => ({
      id: endpoint.id,
      serviceId: endpoint.service_id,
      regionId: endpoint.region_id ?? null,
      interface: endpoint.interface,
      url: endpoint.url,
      isEnabled: endpoint.enabled,
    }))
  },
})
