import type { CloudConfig } from '../clouds/cloud-config'
import type { CatalogEntry, Token } from '../keystone/types'
import { OpenStackError, type OpenStackServiceName, SERVICE_TITLES } from '../openstack-error'

/** Types in the catalogue; the second of identity and compute are what old clouds wrote. */
const CATALOG_TYPES: Readonly<Record<OpenStackServiceName, readonly string[]>> = {
  keystone: ['identity', 'identityv3'],
  placement: ['placement'],
  nova: ['compute', 'computev21'],
}

export type FoundEndpoint = { url: string; serviceId: string; regionId: string | null }
type FindInput = { token: Token; config: CloudConfig; service: OpenStackServiceName }

const entriesOf = (token: Token, service: OpenStackServiceName): readonly CatalogEntry[] => {
  for (const type of CATALOG_TYPES[service]) {
    const entries = token.catalog.filter((entry) => entry.type === type)
    if (entries.length > 0) return entries
  }
  return []
}

/** The endpoint of the configured interface and region. @throws OpenStackError when there is none, or more than one. */
export const findEndpoint = ({ token, config, service }: FindInput): FoundEndpoint => {
  const fail = (message: string) =>
    new OpenStackError(`The catalogue of cloud "${config.name}" ${message}`, {
      kind: 'refused-endpoint',
      service,
      cloud: config.name,
    })
  const all = entriesOf(token, service).flatMap((entry) =>
    entry.endpoints.map((endpoint) => ({ ...endpoint, serviceId: entry.id })),
  )
  const ofInterface = all.filter((endpoint) => endpoint.interface === config.interface)
  const found =
    config.region === null
      ? ofInterface
      : ofInterface.filter((endpoint) => endpoint.regionId === config.region)
  const [first] = found
  const title = SERVICE_TITLES[service]
  if (first === undefined) {
    const region = config.region === null ? '' : ` in region "${config.region}"`
    throw fail(
      `has no ${config.interface} endpoint of ${title}${region}; check interface and region_name in clouds.yaml.`,
    )
  }
  const regions = [...new Set(found.map((endpoint) => endpoint.regionId))]
  if (regions.length > 1) {
    throw fail(
      `has endpoints of ${title} in the regions ${regions.join(', ')}; name one as region_name in clouds.yaml.`,
    )
  }
  return { url: toBaseUrl(service, first.url), serviceId: first.serviceId, regionId: first.regionId }
}

/** Without a slash at the end; Nova's down to `/v2.1`: since 2.18 it needs no project in the address. */
export const toBaseUrl = (service: OpenStackServiceName, text: string): string => {
  const url = text.replace(/\/+$/, '')
  if (service !== 'nova') return url
  const versioned = /^.*\/v2(\.1)?(?=\/|$)/.exec(url)
  return versioned === null ? `${url}/v2.1` : versioned[0].replace(/\/v2$/, '/v2.1')
}

/** Addresses of the three services that the console asks, for the transport to allow. */
export const listServiceUrls = (token: Token): string[] =>
  Object.values(CATALOG_TYPES)
    .flat()
    .flatMap((type) => token.catalog.filter((entry) => entry.type === type))
    .flatMap((entry) => entry.endpoints.map((endpoint) => endpoint.url))
