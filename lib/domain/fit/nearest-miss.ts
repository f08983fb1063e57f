import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { naturalOrder } from '@/lib/util/natural-order'
import { oncePer } from '@/lib/util/once-per'
import { aliasProblem } from './alias-meaning'
import { countHost, flavorQuestion, hasGpus, NOTHING, unseenFits } from './explain-fit'
import type { FlavorLike } from './flavor-request'
import { hostBlockers, pgpuBlockers } from './host-blockers'
import { distance, judgeRead } from './judge-fit'
import type { FitReason } from './main-reason'
import { servingHosts } from './serving-hosts'

/** The host that is nearest to a server, and what is in its way. `host` null: the reason is in the flavor. */
type NearestMiss = FitReason & { host: string | null }

/** Of a host whose only obstacle may go away. */
const CLOSEST_MISS = 2

const hostsByName = oncePer(({ hosts }: Fleet): readonly JoinedHost[] =>
  hosts.filter(hasGpus).toSorted((a, b) => naturalOrder(a.host.name, b.host.name)),
)

/**
 * The first host that `judgeInSteps` lists by what was read last, with its first reason, where no server fits; null where one fits,
 * or without a host. Only the hosts up to that one are explained.
 */
export const nearestMiss = (fleet: Fleet, flavor: FlavorLike): NearestMiss | null => {
  const question = flavorQuestion(flavor)
  const problem = aliasProblem(fleet, question.request)
  if (problem !== null)
    return {
      host: null,
      kind: problem.state === 'missing' ? 'alias' : 'unknown',
      because: problem.because,
    }
  const serving = new Set(servingHosts(fleet, question.request, { isEmptied: false }))
  const hosts = hostsByName(fleet).map((joined) => ({
    joined,
    host: joined.host.name,
    ...(serving.has(joined)
      ? countHost(fleet, joined, question, () => hostBlockers(fleet, joined, question).length === 0)
      : NOTHING),
  }))
  if (hosts.some(({ fits }) => (fits.value ?? 0) > 0)) return null
  const [unknown] = [...hosts, ...unseenFits(fleet, question)]
    .flatMap(({ host, fits }) => (fits.value === null ? [{ host, because: fits.reason }] : []))
    .toSorted((a, b) => naturalOrder(a.host, b.host))
  if (unknown !== undefined) return { kind: 'unknown', ...unknown }
  let nearest: NearestMiss | null = null
  let minDistance = Number.POSITIVE_INFINITY
  for (const { joined, host, ...counts } of hosts) {
    const verdict = judgeRead({
      ...counts,
      blockers: hostBlockers(fleet, joined, question),
      pgpus: joined.pgpus.map((entry) => ({ blockers: pgpuBlockers(fleet, joined, entry, question) })),
    })
    const [reason] = verdict.reasons
    if (reason === undefined || distance(verdict) >= minDistance) continue
    nearest = { host, ...reason }
    minDistance = distance(verdict)
    if (minDistance <= CLOSEST_MISS) break
  }
  return nearest
}
