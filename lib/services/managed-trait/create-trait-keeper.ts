import 'server-only'
import type { Fleet, ManagedTrait } from '@/lib/domain/cloud/fleet-types'
import { judgeManagedTrait } from '@/lib/domain/cloud/judge-managed-trait'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import type { Logger } from '@/lib/server/context/log'
import type { Database } from '@/lib/server/database/database'
import { beginPutBack, recordCarried, recordProblem, recordPutBack } from './keep-record'

/** Others write too: Nova its own traits, an operator theirs. */
const MAX_TRIES = 8

/** `gone`: Nova has deleted or recreated the provider since it was read. */
type PutBack = { outcome: 'put' | 'there' | 'gone'; generation: number | null; traits: readonly string[] }

const GONE: PutBack = { outcome: 'gone', generation: null, traits: [] }

const statusOf = (error: unknown): number | null => (isOpenStackError(error) ? error.status : null)

/**
 * Reads, merges and writes one trait of a provider until no other write comes in between; all other traits stay. The
 * provider must still be the one that was checked.
 */
const putBackTrait = async (
  placement: PlacementClient,
  { providerName, providerUuid, trait }: { providerName: string; providerUuid: string; trait: string },
): Promise<PutBack> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const [now] = await placement.listProviders({ name: providerName })
      if (now?.uuid !== providerUuid) return GONE
      const { generation, traits } = await placement.getTraits(providerUuid)
      if (traits.includes(trait)) return { outcome: 'there', generation, traits }
      await placement.createTrait(trait)
      const written = await placement.putTraits(providerUuid, {
        generation,
        traits: [...traits, trait].toSorted(),
      })
      return { outcome: 'put', generation, traits: written.traits }
    } catch (error) {
      if (statusOf(error) === 404) return GONE
      if (statusOf(error) !== 409 || attempt === MAX_TRIES) throw error
    }
  }
}

/**
 * Checks the fleet of one round and restores the traits that Nova dropped. Returns whether a trait was lost, so that the
 * next round checks again.
 */
export type TraitKeeper = (fleet: Fleet) => Promise<boolean>

type Input = {
  database: Database
  cloud: { id: number; name: string }
  /** With the service account of the cloud. */
  placement: PlacementClient
  log: Logger
  now: () => Date
}

/** Why Placement took no write, which holds for the rest of the round too; null: it did. */
type Refusal = string | null

const keyOf = ({ host, address }: ManagedTrait, uuid: string): string => `${host} ${address} ${uuid}`

/**
 * Restores managed traits (decision 015). A recreated provider is trusted once its host has reported after the provider
 * was first seen: a provider that is new because its type changed must not get the old type's trait.
 */
export const createTraitKeeper = ({ database, cloud, placement, log, now }: Input): TraitKeeper => {
  /** Console's clock, ISO 8601; lost at a restart, which only waits once more. */
  let firstSeen = new Map<string, string>()

  const putBack = async (trait: ManagedTrait, uuid: string): Promise<Refusal> => {
    const input = { database, cloud, trait, at: now() }
    if (!(await beginPutBack(input, uuid))) return null
    try {
      const { outcome, generation, traits } = await putBackTrait(placement, { ...trait, providerUuid: uuid })
      if (outcome === 'there') await recordCarried(input, uuid)
      if (outcome === 'put') {
        await recordPutBack(input, { uuid, generation, traits })
        log.info({ cloud: cloud.name, provider: trait.providerName, trait: trait.trait }, 'Trait restored')
      }
      return null
    } catch (error) {
      if (!isOpenStackError(error)) throw error
      await recordProblem(input, error.message)
      return error.message
    }
  }

  return async (fleet) => {
    const waiting = new Map<string, string>()
    let refusal: Refusal = null
    for (const trait of fleet.input.managedTraits) {
      const verdict = judgeManagedTrait(fleet, trait)
      if (verdict.state === 'on' && (trait.providerUuid !== verdict.provider.uuid || trait.problem !== null))
        await recordCarried({ database, cloud, trait, at: now() }, verdict.provider.uuid)
      if (verdict.state !== 'lost') continue
      const key = keyOf(trait, verdict.provider.uuid)
      const since = firstSeen.get(key) ?? fleet.input.now
      waiting.set(key, since)
      const seenAt = fleet.hosts.find(({ host }) => host.name === trait.host)?.host.seenAt ?? ''
      if (Date.parse(seenAt) <= Date.parse(since)) continue
      if (refusal === null) refusal = await putBack(trait, verdict.provider.uuid)
      else await recordProblem({ database, cloud, trait, at: now() }, refusal)
    }
    firstSeen = waiting
    return waiting.size > 0
  }
}
