import type { CloudConfig, EndpointInterface, ServiceSettings } from '../clouds/cloud-config'
import type { CatalogEntry, Token } from '../keystone/types'
import { OpenStackError, type OpenStackServiceName, SERVICE_TITLES } from '../openstack-error'

/** Types in the catalog; the second of identity and compute are what old clouds wrote. */
const CATALOG_TYPES: Readonly<Record<OpenStackServiceName, readonly string[]>> = {
  keystone: ['identity', 'identityv3'],
  placement: ['placement'],
  nova: ['compute', 'computev21'],
  neutron: ['network'],
  glance: ['image'],
}

export type FoundEndpoint = { url: string; serviceId: string | null; regionId: string | null }
type FindInput = { token: Token; config: CloudConfig; service: OpenStackServiceName }

type Wanted = { interfaces: readonly EndpointInterface[]; region: string | null; settings: ServiceSettings }

const wantedOf = (config: CloudConfig, service: OpenStackServiceName): Wanted => {
  const settings = config.services[service] ?? {}
  return {
    interfaces: settings.interfaces ?? config.interfaces,
    region: settings.region ?? config.region,
    settings,
  }
}

const entriesOf = (token: Token, service: OpenStackServiceName, settings: ServiceSettings) => {
  const { serviceType, serviceName } = settings
  const types = serviceType === undefined ? CATALOG_TYPES[service] : [serviceType]
  for (const type of types) {
    const entries = token.catalog.filter((entry) => entry.type === type)
    if (entries.length > 0)
      return entries.filter(({ name }) => serviceName === undefined || name === serviceName)
  }
  return []
}

type Candidate = CatalogEntry['endpoints'][number] & { serviceId: string | null }

/** What the catalog has instead, so that the setting can be corrected. */
const describeCandidates = (all: readonly Candidate[]): string => {
  if (all.length === 0)
    return 'It has no endpoint of this service; check that Keystone has the service, and its service_type and service_name in clouds.yaml'
  const texts = all.map(({ interface: name, regionId }) => `${name} in ${regionId ?? 'no region'}`)
  return `It has: ${[...new Set(texts)].sort().join(', ')}. Correct interface and region_name in clouds.yaml`
}

/** The endpoint of the configured interface and region. @throws OpenStackError when there is none, or more than one. */
export const findEndpoint = ({ token, config, service }: FindInput): FoundEndpoint => {
  const refused = (message: string) =>
    new OpenStackError(message, { kind: 'refused-endpoint', service, cloud: config.name })
  const fail = (message: string) => refused(`The catalog of cloud "${config.name}" ${message}`)
  const { interfaces, region, settings } = wantedOf(config, service)
  if (settings.unusableBecause !== undefined) throw refused(settings.unusableBecause)
  const all = entriesOf(token, service, settings).flatMap((entry): Candidate[] =>
    entry.endpoints.map((endpoint) => ({ ...endpoint, serviceId: entry.id })),
  )
  const ofRegion = region === null ? all : all.filter((endpoint) => endpoint.regionId === region)
  const found =
    interfaces
      .map((name) => ofRegion.filter((endpoint) => endpoint.interface === name))
      .find((endpoints) => endpoints.length > 0) ?? []
  const [first] = found
  const title = SERVICE_TITLES[service]
  if (first === undefined) {
    const where = region === null ? '' : ` in region "${region}"`
    throw fail(`has no ${interfaces.join(' or ')} endpoint of ${title}${where}. ${describeCandidates(all)}.`)
  }
  const regions = [...new Set(found.map((endpoint) => endpoint.regionId))]
  if (regions.length > 1) {
    throw fail(
      `has endpoints of ${title} in the regions ${regions.join(', ')}; name one as region_name in clouds.yaml.`,
    )
  }
  return { url: toBaseUrl(service, first.url), serviceId: first.serviceId, regionId: first.regionId }
}

/**
 * Without a slash at the end; Nova's down to `/v2.1`: since 2.18 it needs no project in the address. The catalog entries of
 * Neutron and Glance usually have no version.
 */
export const toBaseUrl = (service: OpenStackServiceName, text: string): string => {
  const url = text.replace(/\/+$/, '')
  if (service === 'neutron') return `${url.replace(/\/v2\.0$/, '')}/v2.0`
  if (service === 'glance') return `${url.replace(/\/v2$/, '')}/v2`
  if (service !== 'nova') return url
  const versioned = /^.*\/v2(\.1)?(?=\/|$)/.exec(url)
  return versioned === null ? `${url}/v2.1` : versioned[0].replace(/\/v2$/, '/v2.1')
}

/** Addresses of the services that receive requests, for the transport to allow. */
export const listServiceUrls = (token: Token, { services }: Pick<CloudConfig, 'services'>): string[] => {
  const own = Object.values(services).flatMap(({ serviceType }) => serviceType ?? [])
  const types = [...Object.values(CATALOG_TYPES).flat(), ...own]
  return token.catalog
    .filter(({ type }) => types.includes(type))
    .flatMap(({ endpoints }) => endpoints.map(({ url }) => url))
}
