import { listText } from '@/lib/domain/wording'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'

type ServiceName = CloudReadingDto['services'][number]['service']

export const SERVICE_WORDS: Record<ServiceName, string> = {
  keystone: 'Keystone',
  placement: 'Placement',
  nova: 'Nova',
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
}

export const partWords = (part: string): string => PARTS[part]?.words ?? part
export const partService = (part: string): ServiceName | null => PARTS[part]?.service ?? null

/** What a service last said although it fails now: parts that failed at the same time and are of the same age. */
export type Stale = {
  /** Null: a part of a newer console, whose service is not known. */
  service: ServiceName | null
  parts: readonly string[]
  since: string
  /** When the words that stand were said; null: nothing was ever heard. */
  at: string | null
  error: string
}

type Part = CloudReadingDto['parts'][number]

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).toSorted()[0] ?? null

/** Words are as old as their oldest part: a service's parts are read within one round. */
const staleOf = (service: ServiceName | null, failing: readonly Part[]): Stale[] => {
  const since = earliest(failing.map(({ failingSince }) => failingSince))
  if (since === null) return []
  return [
    {
      service,
      parts: failing.map(({ part }) => partWords(part)),
      since,
      at: earliest(failing.map(({ at }) => at)),
      error: failing[0]?.error ?? '',
    },
  ]
}

/** What is stale since when, service by service; parts that were never heard stand apart. Empty: all is fresh. */
export const staleOfReading = ({ parts }: Pick<CloudReadingDto, 'parts'>): Stale[] => {
  const failing = parts.filter(({ error, failingSince }) => error !== null && failingSince !== null)
  const services = [...new Set(failing.map(({ part }) => partService(part)))]
  return services.flatMap((service) => {
    const own = failing.filter(({ part }) => partService(part) === service)
    return [
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

/** "Placement does not answer for resource providers and allocations". */
export const staleSubject = ({ service, parts }: Stale): string =>
  `${service === null ? 'OpenStack' : SERVICE_WORDS[service]} does not answer for ${listText(parts)}`
