import 'server-only'
import type { CloudHostFacts, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { CLOUD_PARTS, type CloudPart } from '@/lib/domain/cloud/freshness'
import { joinInSteps } from '@/lib/domain/cloud/join-fleet'
import { rememberTraits } from '@/lib/domain/cloud/remember-traits'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { detectInSteps } from '@/lib/domain/findings/cloud/registry'
import type { Unconfirmed } from '@/lib/domain/findings/confirm'
import { hasSameInput } from '@/lib/domain/findings/has-same-input'
import { haveSameRules, novaRange } from '@/lib/domain/nova-config/nova-releases'
import type { CloudReader } from '@/lib/openstack/reading/types'
import type { Logger } from '@/lib/server/context/log'
import type { Database } from '@/lib/server/database/database'
import { loadEnteredAliases } from '@/lib/services/cloud/entered-aliases'
import { loadEnteredDriver } from '@/lib/services/cloud/entered-driver'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { listEnrollmentRequests } from '@/lib/services/enrollment-request/list-enrollment-requests'
import type { TraitKeeper } from '@/lib/services/managed-trait/create-trait-keeper'
import { loadManagedTraits } from '@/lib/services/managed-trait/managed-trait-rows'
import { loadRemovedNames } from '@/lib/services/stored-host/removed-host-rows'
import { inSlices } from '@/lib/util/in-slices'
import { reuseEqual } from '@/lib/util/reuse-equal'
import { factsOfCloud, keepFacts } from './facts-of-cloud'
import { loadHostFacts } from './load-host-facts'
import { createSourceLog } from './source-log'
import { storeCloudPoints } from './store-cloud-points'
import { loadUnjudged, type StoredRound, storeFindings } from './store-findings'
import { storeRound } from './store-round'
import { loadTraitMemory, storeTraitMemory } from './trait-memory'

/** What was judged, and nothing waits: the same input changes nothing. */
type Settled = { input: Omit<FleetFacts, 'traitMemory'>; unjudged: string }

type JudgedRound = StoredRound & { settled: Settled | null }

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
  managedTraits: await loadManagedTraits(database, cloud.id),
  apiAliases: await loadEnteredAliases(database, cloud.id),
  quotaDriver: await loadEnteredDriver(database, cloud.id),
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
const judgeCloud = async (round: JudgeInput): Promise<JudgedRound> => {
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
  await storeCloudPoints(database, { cloudId, fleet, findings: detected.findings, at })
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

/** The facts of a round with the values of the round before where these are equal, so that `===` shows what changed. */
export const reuseUnchanged = async (before: CloudFacts | null, now: CloudFacts): Promise<CloudFacts> => {
  if (before === null) return now
  const parts: [CloudPart, CloudFacts[CloudPart]['value']][] = []
  // One after the other: parts at the same time would each take a slice in the same turn.
  for (const part of CLOUD_PARTS)
    parts.push([part, await inSlices(reuseEqual(before[part].value, now[part].value))])
  // Each part has its own value or an equal one.
  return {
    ...now,
    ...(Object.fromEntries(
      parts.map(([part, value]) => [part, { ...now[part], value }]),
    ) as Partial<CloudFacts>),
  }
}

export type CloudReading = {
  /**
   * One round: ask, store, judge; `unconfirmed` is what waits for another one, `isUnfinished` that a part does. Rejects when the
   * database does; a service that fails is part of the facts.
   */
  readRound: () => Promise<{ roundNumber: number; isUnfinished: boolean } & StoredRound>
}

export type CloudReadingInput = {
  database: Database
  cloud: Cloud
  reader: CloudReader
  log: Logger
  now: () => Date
  silentAfterSeconds: number
  /** Evidence of a service that is older than this judges nothing. */
  staleAfterMs: number
  /** The agent version that this console offers for installation. */
  agentVersion: string
  /** Puts kept traits back; without it nothing is written in the cloud. */
  keeper?: TraitKeeper
}

/** Reads one cloud in rounds; the first round continues from the database. */
export const createCloudReading = (input: CloudReadingInput): CloudReading => {
  const { database, cloud, reader, log, now, silentAfterSeconds } = input
  let unconfirmed: Unconfirmed = new Map()
  let last: { roundNumber: number; judged: JudgedRound } | null = null
  const logSources = createSourceLog({ log, cloud: cloud.name })

  const readRound = async () => {
    const startedAt = now()
    const startedMs = performance.now()
    // Another console may have stored a round since.
    const stored = (await factsOfCloud({ database, now }, cloud))?.facts ?? null
    const silentBefore = new Date(startedAt.getTime() - silentAfterSeconds * 1000)
    const loadHosts = () => loadHostFacts(database, { cloudId: cloud.id, silentBefore, log })
    const before = await loadHosts()
    const gpuHosts = before.filter(({ inventory }) => inventory.gpus.length > 0).map(({ name }) => name)
    const round = await reader.readRound({ previous: stored, now: startedAt, gpuHosts })
    const facts = await reuseUnchanged(stored, round.facts)
    const tookMs = performance.now() - startedMs
    logSources(round)
    const roundNumber = await storeRound(database, {
      cloudId: cloud.id,
      previous: stored,
      round: { ...round, facts },
      startedAt,
      tookMs,
    })
    keepFacts(database, cloud, { facts, roundNumber })
    // Hosts are described by the rules of Nova's release.
    const isSameNova = haveSameRules(novaRange(stored?.versions.nova ?? null), novaRange(facts.versions.nova))
    const hosts = isSameNova ? before : await loadHosts()
    const previous = last?.roundNumber === roundNumber - 1 ? last.judged : null
    last = null
    const judged = await judgeCloud({ ...input, facts, hosts, at: now(), previous, unconfirmed })
    last = { roundNumber, judged }
    unconfirmed = judged.unconfirmed
    const { openFindings } = judged
    return { roundNumber, isUnfinished: round.isUnfinished, openFindings, unconfirmed }
  }

  return { readRound }
}
