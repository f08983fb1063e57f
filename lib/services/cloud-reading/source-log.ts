import 'server-only'
import { CLOUD_PARTS } from '@/lib/domain/cloud/freshness'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { type OpenStackServiceName, SERVICE_TITLES } from '@/lib/openstack/openstack-error'
import type { ReadingRound } from '@/lib/openstack/reading/types'
import type { Logger } from '@/lib/server/context/log'

/** Ids differ from request to request, but the state that they are reported in is the same. */
const withoutIds = (sentence: string): string =>
  sentence.replaceAll(/\breq-[\w-]+|[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}/gi, '…')

const failingParts = (facts: CloudFacts, sentence: string): Set<string> =>
  new Set(CLOUD_PARTS.filter((part) => withoutIds(facts[part].error ?? '') === sentence))

/** What has been logged of a service since it was last readable. */
type Outage = { sentences: Set<string>; parts: Set<string> }

/**
 * Logs each change of what can be read of a cloud, once: a service that fails, with the sentence that the page shows, and one
 * that can be read again. A slow part that failed counts as failing until it is read again, rounds later.
 */
export const createSourceLog = ({ log, cloud }: { log: Pick<Logger, 'info' | 'warn'>; cloud: string }) => {
  const outages = new Map<OpenStackServiceName, Outage>()

  const logFailure = (service: OpenStackServiceName, error: string, facts: CloudFacts): void => {
    const { sentences, parts } = outages.get(service) ?? { sentences: new Set(), parts: new Set() }
    const sentence = withoutIds(error)
    const failing = failingParts(facts, sentence)
    const isNews = parts.size === 0 || [...failing].some((part) => !parts.has(part))
    if (!sentences.has(sentence) && isNews) log.warn({ cloud, service }, error)
    outages.set(service, { sentences: sentences.add(sentence), parts: new Set([...parts, ...failing]) })
  }

  const logRecovery = (service: OpenStackServiceName, facts: CloudFacts): void => {
    const parts = outages.get(service)?.parts
    if (parts === undefined) return
    const isStillFailing = (part: string) =>
      CLOUD_PARTS.some((one) => one === part && facts[one].error !== null)
    if (parts.size > 0 && [...parts].every(isStillFailing)) return
    outages.delete(service)
    log.info({ cloud, service }, `${SERVICE_TITLES[service]} of cloud "${cloud}" can be read again.`)
  }

  return ({ cost, facts }: Pick<ReadingRound, 'cost' | 'facts'>): void => {
    for (const { service, error } of cost)
      if (error === null) logRecovery(service, facts)
      else logFailure(service, error, facts)
  }
}
