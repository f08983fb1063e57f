import { listText } from '@/lib/domain/wording'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { isIncomplete } from '@/lib/util/is-incomplete'

type ServiceName = CloudReadingDto['services'][number]['service']

export const SERVICE_LABELS: Record<ServiceName, string> = {
  keystone: 'Keystone',
  placement: 'Placement',
  nova: 'Nova',
  neutron: 'Neutron',
}

const PARTS: Readonly<Record<string, { words: string; service: ServiceName }>> = {
  providers: { words: 'resource providers', service: 'placement' },
  allocations: { words: 'allocations', service: 'placement' },
  services: { words: 'compute services', service: 'nova' },
  hypervisors: { words: 'hypervisors', service: 'nova' },
  servers: { words: 'servers', service: 'nova' },
  migrations: { words: 'migrations', service: 'nova' },
  flavors: { words: 'flavors', service: 'nova' },
  aggregates: { words: 'aggregates', service: 'nova' },
  limits: { words: 'limits', service: 'keystone' },
  projects: { words: 'projects', service: 'keystone' },
  networkAgents: { words: 'network agents', service: 'neutron' },
}

export const partLabel = (part: string): string => PARTS[part]?.words ?? part
export const partService = (part: string): ServiceName | null => PARTS[part]?.service ?? null

/** The last values of a service that fails now: parts that failed at the same time and have the same age. */
export type Stale = {
  /** Null: a part of a newer console, whose service is not known. */
  service: ServiceName | null
  parts: readonly string[]
  since: string
  /** The time of the last values; null: nothing was read yet. */
  at: string | null
  error: string
  /** The service answered, but the list lacks entries. */
  isIncomplete: boolean
}

type Part = CloudReadingDto['parts'][number]

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).toSorted()[0] ?? null

/** Words are as old as their oldest part: a service's parts are read within one round. */
const staleOf = (service: ServiceName | null, failing: readonly Part[], isCut = false): Stale[] => {
  const since = earliest(failing.map(({ failingSince }) => failingSince))
  if (since === null) return []
  return [
    {
      service,
      parts: failing.map(({ part }) => partLabel(part)),
      since,
      at: earliest(failing.map(({ at }) => at)),
      error: failing[0]?.error ?? '',
      isIncomplete: isCut,
    },
  ]
}

/** The stale values and since when, service by service; parts that were never read are separate. Empty: all is fresh. */
export const staleOfReading = ({ parts }: Pick<CloudReadingDto, 'parts'>): Stale[] => {
  const failing = parts.filter(({ error, failingSince }) => error !== null && failingSince !== null)
  const services = [...new Set(failing.map(({ part }) => partService(part)))]
  return services.flatMap((service) => {
    const ofService = failing.filter(({ part }) => partService(part) === service)
    const own = ofService.filter((part) => !isIncomplete(part))
    return [
      ...ofService.filter(isIncomplete).flatMap((part) => staleOf(service, [part], true)),
      ...staleOf(
        service,
        own.filter(({ at }) => at !== null),
      ),
      ...staleOf(
        service,
        own.filter(({ at }) => at === null),
      ),
    ]
  })
}

/** "Placement does not answer for resource providers and allocations", "Keystone's list of projects is incomplete". */
export const staleSubject = ({ service, parts, isIncomplete: isCut }: Stale): string => {
  const name = service === null ? 'OpenStack' : SERVICE_LABELS[service]
  return isCut
    ? `${name}'s list of ${listText(parts)} is incomplete`
    : `${name} does not return ${listText(parts)}`
}
