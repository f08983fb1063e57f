import 'server-only'
import type { Unconfirmed } from '@/lib/domain/findings/confirm'
import { haveSameRules, novaRange } from '@/lib/domain/nova-config/nova-releases'
import type { CloudReader } from '@/lib/openstack/reading/types'
import type { Logger } from '@/lib/server/context/log'
import type { Database } from '@/lib/server/database/database'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import type { TraitKeeper } from '@/lib/services/kept-trait/create-trait-keeper'
import { factsOfCloud, keepFacts } from './facts-of-cloud'
import { type JudgedRound, judgeCloud } from './judge-cloud'
import { loadHostFacts } from './load-host-facts'
import { reuseUnchanged } from './reuse-unchanged'
import { createSourceLog } from './source-log'
import type { StoredRound } from './store-findings'
import { storeRound } from './store-round'

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
