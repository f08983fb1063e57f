import { OpenStackError, type OpenStackServiceName, SERVICE_TITLES } from './openstack-error'

type Microversion = { major: number; minor: number }

const parse = (text: string): Microversion | null => {
  const match = /^(\d+)\.(\d+)$/.exec(text)
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) }
}

const compare = (a: Microversion, b: Microversion) => a.major - b.major || a.minor - b.minor

type ChooseInput = {
  service: OpenStackServiceName
  cloud: string
  /** Highest that the service offers. */
  offered: string
  /** The one that we know best, and the oldest that has what we need. */
  best: string
  oldest: string
}

/** The highest microversion up to `best` that is offered. @throws OpenStackError when that is below `oldest`. */
export const chooseMicroversion = ({ service, cloud, offered, best, oldest }: ChooseInput): string => {
  const [has, wants, needs] = [parse(offered), parse(best), parse(oldest)]
  if (has !== null && wants !== null && needs !== null && compare(has, needs) >= 0) {
    return compare(has, wants) < 0 ? offered : best
  }
  throw new OpenStackError(
    `${SERVICE_TITLES[service]} of cloud "${cloud}" offers microversion ${offered} at most, but ${oldest} is needed; that cloud is too old for this console.`,
    { kind: 'invalid-answer', service, cloud },
  )
}

/** Whether `version` is at least `since`; both as `1.38`. */
export const isSameOrNewer = (version: string, since: string): boolean => {
  const [a, b] = [parse(version), parse(since)]
  return a !== null && b !== null && compare(a, b) >= 0
}
