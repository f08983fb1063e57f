import { actorLabel, listText } from '@/lib/domain/wording'
import type { QuotaDriver } from '@/lib/schemas/states'
import { shellProgram } from '@/lib/util/encode/shell'
import { type ApiQuota, isUnified, readApiQuotas, type Speakers } from './api-quota'
import type { FleetFacts } from './fleet-types'

/** What an admin answered for clouds where no agent can read nova.conf of Nova's API. */
export type EnteredDriver = {
  driver: QuotaDriver
  /** As the audit names people. */
  by: string
  /** ISO 8601 UTC. */
  at: string
}

/** What is known of the driver without asking Nova. */
export type KnownDriver = {
  /** Null: neither an agent nor an admin reported it. */
  driver: QuotaDriver | null
  source: 'agents' | 'answer' | null
  /** What contradicts the answer, as a sentence without its period; null: nothing. */
  contradiction: string | null
}

const DRIVER_LABELS: Readonly<Record<QuotaDriver, string>> = {
  unified: 'unified limits',
  legacy: 'its own quotas',
}

/** What one host of Nova's API has for a driver; where nothing is set Nova counts by its own quotas (nova/conf/quota.py). */
const driverOf = (api: ApiQuota): QuotaDriver => (isUnified(api) ? 'unified' : 'legacy')

/** `anna@Default answered that Nova’s API uses unified limits`. */
export const answerLabel = ({ driver, by }: EnteredDriver): string =>
  `${actorLabel(by)} answered that Nova’s API uses ${DRIVER_LABELS[driver]}`

/** The command with which a person checks what no agent reports. */
export const DRIVER_CHECK = shellProgram`grep -A2 '^\[quota\]' /etc/nova/nova.conf   # where nova-api and nova-conductor run`

type Input = Speakers & { input: Pick<FleetFacts, 'quotaDriver'> }

/**
 * The quota driver of the hosts of Nova's API. Reports of agents are proof; without any, the admin's answer counts. Hosts
 * that differ count as unified, because a server that reaches one of those hosts is subject to Keystone's limits.
 */
export const knownDriver = ({ hosts, input }: Input): KnownDriver => {
  const entered = input.quotaDriver ?? null
  const speaking = readApiQuotas({ hosts }).filter(({ isSilent }) => !isSilent)
  if (speaking.length === 0)
    return {
      driver: entered?.driver ?? null,
      source: entered === null ? null : 'answer',
      contradiction: null,
    }
  const against = speaking.filter((api) => entered !== null && driverOf(api) !== entered.driver)
  return {
    driver: speaking.some(isUnified) ? 'unified' : 'legacy',
    source: 'agents',
    contradiction:
      entered === null || against.length === 0
        ? null
        : `${answerLabel(entered)}, but this contradicts nova.conf as reported by the agent of ${listText(
            against.map(({ host }) => host),
            3,
          )}`,
  }
}
