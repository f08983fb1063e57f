import 'server-only'
import type { PlacementWord } from '@/lib/domain/fit/judge-fit'
import type { ProviderWord } from '@/lib/domain/fit/with-answer'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

/**
 * Maximum number of requested candidates: enough for a thousand hosts, few enough for Placement to answer in time. Nova
 * itself uses `[scheduler] max_placement_results` (1,000).
 */
const MAX_CANDIDATES = 10_000
/** Several people who open the same flavor share one query. */
const CACHED_MS = 5000
/** A person waits for the answer; the reading round behind it has its own patience. */
const PATIENCE_MS = 8000
const MAX_CACHED = 200

export type LiveAnswer = {
  word: PlacementWord
  state: 'answered' | 'refused' | 'away' | 'not-asked'
  /** When it came; null: none did. */
  at: string | null
  because: string | null
  candidates: number | null
  /** Providers that a candidate takes something from. */
  offered: ReadonlySet<string>
  summaries: ReadonlyMap<string, ProviderWord>
}

type Cache = { client: PlacementClient; answers: Map<string, { atMs: number; answer: Promise<LiveAnswer> }> }

const KEY = Symbol.for('sliceboard.placement-answers')
// Next's bundles each load their own copy of this module; globalThis is what they share.
const holder = globalThis as { [KEY]?: WeakMap<ServiceAccount, Cache> }

const cacheOf = (account: ServiceAccount): Cache => {
  holder[KEY] ??= new WeakMap()
  const known = holder[KEY].get(account) ?? { client: createPlacement({ account }), answers: new Map() }
  holder[KEY].set(account, known)
  return known
}

/** No answer, and why. */
export const noAnswer = (state: 'away' | 'not-asked', because: string): LiveAnswer => ({
  word: { state: 'away' },
  state,
  at: null,
  because,
  candidates: null,
  offered: new Set(),
  summaries: new Map(),
})

/** An unavailable Placement is not an error of the page: the last reading is used. */
const toSilence = (error: unknown, now: () => Date): LiveAnswer => {
  if (!isOpenStackError(error)) throw error
  if (error.service !== 'placement' || error.status !== 400) return noAnswer('away', error.message)
  const because = error.detail ?? error.message
  return {
    ...noAnswer('away', because),
    state: 'refused',
    word: { state: 'refused', because: `Placement refuses the query: ${because}` },
    at: now().toISOString(),
  }
}

const ask = async (client: PlacementClient, query: string, now: () => Date): Promise<LiveAnswer> => {
  try {
    const { requests, summaries } = await client.listCandidates(query)
    const uuids = new Set(requests.flatMap(({ allocations }) => Object.keys(allocations)))
    const roots = new Set([...uuids].map((uuid) => summaries.get(uuid)?.rootUuid ?? uuid))
    return {
      word: { state: 'answered', roots, isCut: requests.length >= MAX_CANDIDATES },
      state: 'answered',
      at: now().toISOString(),
      because: null,
      candidates: requests.length,
      offered: uuids,
      summaries,
    }
  } catch (error) {
    return toSilence(error, now)
  }
}

const within = async (answer: Promise<LiveAnswer>): Promise<LiveAnswer> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<LiveAnswer>((resolve) => {
    timer = setTimeout(
      () => resolve(noAnswer('away', `Placement gave no answer within ${PATIENCE_MS / 1000} s.`)),
      PATIENCE_MS,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

const forgetOld = (answers: Cache['answers'], nowMs: number): void => {
  for (const [query, { atMs }] of answers)
    if (nowMs - atMs > CACHED_MS || answers.size > MAX_CACHED) answers.delete(query)
}

/** The call as Placement gets it: the flavor's own, ended at a limit. */
export const limitedQuery = (call: string): string => `${call}&limit=${MAX_CANDIDATES}`

/**
 * Placement's answer to `GET /allocation_candidates?…`, now, through the service account and its rate. Never fails because of
 * Placement. For services that have checked the permission.
 */
export const askPlacement = (ctx: ServiceContext, cloud: Cloud, call: string): Promise<LiveAnswer> => {
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  if (account === undefined)
    return Promise.resolve(
      noAnswer('not-asked', `The console has no service account for cloud "${cloud.name}", so it can't ask.`),
    )
  const { client, answers } = cacheOf(account)
  const query = call.slice(call.indexOf('?') + 1)
  const nowMs = performance.now()
  forgetOld(answers, nowMs)
  const known = answers.get(query)
  if (known !== undefined) return within(known.answer)
  const answer = ask(client, query, ctx.now)
  answers.set(query, { atMs: nowMs, answer })
  return within(answer)
}
