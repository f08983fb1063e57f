import 'server-only'
import type { CloudHostFacts, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinInSteps } from '@/lib/domain/cloud/join-fleet'
import { rememberTraits } from '@/lib/domain/cloud/remember-traits'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { detectInSteps } from '@/lib/domain/findings/cloud/registry'
import type { Unconfirmed } from '@/lib/domain/findings/confirm'
import { hasSameInput } from '@/lib/domain/findings/has-same-input'
import type { Database } from '@/lib/server/database/database'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { loadToldAliases } from '@/lib/services/cloud/told-aliases'
import { loadToldDriver } from '@/lib/services/cloud/told-driver'
import { listEnrollmentRequests } from '@/lib/services/enrollment-request/list-enrollment-requests'
import type { TraitKeeper } from '@/lib/services/kept-trait/create-trait-keeper'
import { loadKeptTraits } from '@/lib/services/kept-trait/kept-trait-rows'
import { loadRemovedNames } from '@/lib/services/stored-host/removed-host-rows'
import { inSlices } from '@/lib/util/in-slices'
import { loadUnjudged, type StoredRound, storeFindings } from './store-findings'
import { storePgpuWords } from './store-pgpu-words'
import { loadTraitMemory, storeTraitMemory } from './trait-memory'

/** What was judged, and nothing waits: the same input changes nothing. */
type Settled = { input: Omit<FleetFacts, 'traitMemory'>; unjudged: string }

export type JudgedRound = StoredRound & { settled: Settled | null }

type JudgeInput = {
  database: Database
  cloud: Cloud
  facts: CloudFacts
  hosts: readonly CloudHostFacts[]
  at: Date
  staleAfterMs: number
  agentVersion: string
  /** The round before; null: another console may have judged since. */
  previous: JudgedRound | null
  /** What waited after the round before. */
  unconfirmed: Unconfirmed
  keeper?: TraitKeeper
}

const loadInput = async ({
  database,
  cloud,
  facts,
  hosts,
  at,
  staleAfterMs,
  agentVersion,
}: JudgeInput): Promise<Settled['input']> => ({
  facts,
  hosts,
  now: at.toISOString(),
  staleAfterMs,
  currentAgentVersion: agentVersion,
  keptTraits: await loadKeptTraits(database, cloud.id),
  apiAliases: await loadToldAliases(database, cloud.id),
  quotaDriver: await loadToldDriver(database, cloud.id),
  removedHosts: await loadRemovedNames(database, cloud.id),
  waitingEnrollments: (await listEnrollmentRequests(database.query, { cloudId: cloud.id, now: at })).filter(
    ({ state }) => state === 'waiting',
  ),
})

/** Whether judging would change nothing. What people do to findings is stored already, but acknowledgments also end. */
const isUnchanged = async (
  { database, cloud, hosts, at }: JudgeInput,
  settled: Settled,
  input: Settled['input'],
): Promise<boolean> => {
  if (!hasSameInput(settled.input, input)) return false
  const judged = hosts.map(({ name }) => name)
  const unjudged = await loadUnjudged(database.query, { cloudId: cloud.id, judged })
  if (JSON.stringify(unjudged) !== settled.unjudged) return false
  const ended = await database.prisma.finding.findFirst({
    where: { cloudId: cloud.id, closedAt: null, acknowledgedUntil: { lte: at } },
    select: { id: true },
  })
  return ended === null
}

/** Compares the data of the hosts with that of the cloud, and stores what was found. A round in which nothing changed is not judged again. */
export const judgeCloud = async (round: JudgeInput): Promise<JudgedRound> => {
  const { database, cloud, facts, hosts, at, unconfirmed, keeper, previous } = round
  const cloudId = cloud.id
  const input = await loadInput(round)
  if (previous?.settled != null && (await isUnchanged(round, previous.settled, input))) return previous
  const traitMemory = await loadTraitMemory(database.query, cloudId)
  const fleet = await inSlices(joinInSteps({ ...input, traitMemory }))
  const detected = await inSlices(detectInSteps(fleet))
  const judged = hosts.map(({ name }) => name)
  const readAt = facts.providers.at === null ? at : new Date(facts.providers.at)
  const stored = await storeFindings(database, { cloudId, detected, at, readAt, unconfirmed, judged })
  await storePgpuWords(database, { cloudId, fleet, findings: detected.findings, at })
  // After the findings: what was lost must first be missed.
  const hasNewTraits = await storeTraitMemory(database.query, {
    cloudId,
    before: traitMemory,
    now: rememberTraits(fleet),
  })
  const hasLostTraits = (await keeper?.(fleet)) ?? false
  const isSettled = stored.areAllOpen && !hasNewTraits && !hasLostTraits
  return {
    openFindings: stored.openFindings,
    unconfirmed: stored.unconfirmed,
    settled: isSettled ? { input, unjudged: JSON.stringify(stored.unjudged) } : null,
  }
}
