import 'server-only'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { PlacementClient } from '@/lib/openstack/placement/types'

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
export const putBackTrait = async (
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
