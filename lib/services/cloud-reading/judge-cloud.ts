import 'server-only'
import type { CloudHostFacts } from '@/lib/domain/cloud/fleet-types'
import { joinInSteps } from '@/lib/domain/cloud/join-fleet'
import { rememberTraits } from '@/lib/domain/cloud/remember-traits'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { detectInSteps } from '@/lib/domain/findings/cloud/registry'
import type { Unconfirmed } from '@/lib/domain/findings/confirm'
import type { Database } from '@/lib/server/database/database'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadToldAliases } from '@/lib/services/cloud/told-aliases'
import { loadToldDriver } from '@/lib/services/cloud/told-driver'
import { listEnrollmentRequests } from '@/lib/services/enrollment-request/list-enrollment-requests'
import type { TraitKeeper } from '@/lib/services/kept-trait/create-trait-keeper'
import { loadKeptTraits } from '@/lib/services/kept-trait/kept-trait-rows'
import { loadRemovedNames } from '@/lib/services/stored-host/removed-host-rows'
import { inSlices } from '@/lib/util/in-slices'
import { type StoredRound, storeFindings } from './store-findings'
import { storePgpuWords } from './store-pgpu-words'
import { loadTraitMemory, storeTraitMemory } from './trait-memory'

/** Holds the hosts' words against the cloud's, and keeps what was found. */
export const judgeCloud = async ({
  database,
  cloud,
  facts,
  hosts,
  at,
  staleAfterMs,
  agentVersion,
  unconfirmed,
  keeper,
}: {
  database: Database
  cloud: Cloud
  facts: CloudFacts
  hosts: readonly CloudHostFacts[]
  at: Date
  staleAfterMs: number
  agentVersion: string
  /** What waited after the round before. */
  unconfirmed: Unconfirmed
  keeper?: TraitKeeper
}): Promise<StoredRound> => {
  const traitMemory = await loadTraitMemory(database.query, cloud.id)
  const fleet = await inSlices(
    joinInSteps({
      facts,
      hosts,
      now: at.toISOString(),
      staleAfterMs,
      currentAgentVersion: agentVersion,
      traitMemory,
      keptTraits: await loadKeptTraits(database, cloud.id),
      apiAliases: await loadToldAliases(database, cloud.id),
      quotaDriver: await loadToldDriver(database, cloud.id),
      removedHosts: await loadRemovedNames(database, cloud.id),
      waitingEnrollments: (
        await listEnrollmentRequests(database.query, { cloudId: cloud.id, now: at })
      ).filter(({ state }) => state === 'waiting'),
    }),
  )
  const detected = await inSlices(detectInSteps(fleet))
  const judged = hosts.map(({ name }) => name)
  const readAt = facts.providers.at === null ? at : new Date(facts.providers.at)
  const stored = await storeFindings(database, {
    cloudId: cloud.id,
    detected,
    at,
    readAt,
    unconfirmed,
    judged,
  })
  await storePgpuWords(database, { cloudId: cloud.id, fleet, findings: detected.findings, at })
  // After the findings: what was lost must first be missed.
  await storeTraitMemory(database.query, {
    cloudId: cloud.id,
    before: traitMemory,
    now: rememberTraits(fleet),
  })
  await keeper?.(fleet)
  return stored
}
