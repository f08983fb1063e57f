import { isIncomplete } from '@/lib/util/is-incomplete'
import type { FleetFacts } from './fleet-types'
import type { CloudFacts, PartReading } from './types'

/** The parts of a cloud's facts that have a separate time and error. */
export type CloudPart = {
  [Name in keyof CloudFacts]: CloudFacts[Name] extends PartReading<unknown> ? Name : never
}[keyof CloudFacts]

const PART_LABELS: Record<CloudPart, string> = {
  providers: "Placement's resource providers",
  allocations: "Placement's allocations",
  services: "Nova's services",
  hypervisors: "Nova's hypervisors",
  servers: "Nova's servers",
  migrations: "Nova's migrations",
  flavors: "Nova's flavors",
  aggregates: "Nova's aggregates",
  limits: "Keystone's limits",
  projects: "Keystone's projects",
  networkAgents: "Neutron's agents",
}

/** In the order in which a page lists them. */
export const CLOUD_PARTS = Object.keys(PART_LABELS) as CloudPart[]

/** Why a part of the facts lacks entries; null: it was read to its end, or not at all. */
export const incompleteBecause = ({ facts }: Pick<FleetFacts, 'facts'>, part: CloudPart): string | null =>
  isIncomplete(facts[part]) ? facts[part].error : null

/**
 * Why a part of the cloud's facts must not be used for findings; null if it is fresh. Facts with a failing call are old:
 * compared with newer facts of another service they would show differences that do not exist.
 */
export const cloudGap = (
  { facts, now, staleAfterMs }: Pick<FleetFacts, 'facts' | 'now' | 'staleAfterMs'>,
  part: CloudPart,
): string | null => {
  const reading: PartReading<unknown> = facts[part]
  const what = PART_LABELS[part]
  if (reading.value === null) return `${what} could not be read: ${reading.error}`
  if (isIncomplete(reading)) return reading.error
  if (reading.error !== null) return `${what} were read at ${reading.at}, last error: ${reading.error}`
  const isOld = Date.parse(now) - Date.parse(reading.at) > staleAfterMs
  return isOld ? `${what} were last read at ${reading.at}, which is too old` : null
}
