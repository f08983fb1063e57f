import type { KeystoneCall } from './keystone-handler'
import type { Domain, Endpoint, Project, Service, User } from './keystone-state'

const self = ({ request }: KeystoneCall, path: string): unknown => ({
  self: `${request.origin}/identity/v3/${path}`,
})

export const projectBody = (call: KeystoneCall, { id, name, domainId, isEnabled }: Project): unknown => ({
  id,
  name,
  domain_id: domainId,
  description: '',
  enabled: isEnabled,
  parent_id: domainId,
  is_domain: false,
  tags: [],
  options: {},
  links: self(call, `projects/${id}`),
})

export const domainBody = (call: KeystoneCall, { id, name, isEnabled }: Domain): unknown => ({
  id,
  name,
  description: '',
  enabled: isEnabled,
  tags: [],
  options: {},
  links: self(call, `domains/${id}`),
})

export const userBody = (call: KeystoneCall, { id, name, domainId, isEnabled }: User): unknown => ({
  id,
  name,
  domain_id: domainId,
  enabled: isEnabled,
  password_expires_at: null,
  options: {},
  links: self(call, `users/${id}`),
})

export const serviceBody = (call: KeystoneCall, { id, type, name }: Service): unknown => ({
  id,
  type,
  name,
  enabled: true,
  links: self(call, `services/${id}`),
})

export const endpointBody = (call: KeystoneCall, endpoint: Endpoint): unknown => ({
  id: endpoint.id,
  interface: endpoint.interface,
  region: endpoint.regionId,
  region_id: endpoint.regionId,
  service_id: endpoint.serviceId,
  url: endpoint.url,
  enabled: true,
  links: self(call, `endpoints/${endpoint.id}`),
})
