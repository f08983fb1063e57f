import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinInSteps } from '@/lib/domain/cloud/join-fleet'
import { aliasProblem } from '@/lib/domain/fit/alias-meaning'
import { answerCount } from '@/lib/domain/fit/answer-count'
import { arrangeFits, countGroups } from '@/lib/domain/fit/arrange-fits'
import { askHosts } from '@/lib/domain/fit/ask-hosts'
import { explainInSteps, type FitQuestion } from '@/lib/domain/fit/explain-fit'
import { candidatesQuery } from '@/lib/domain/fit/flavor-request'
import {
  type FitPart,
  type JudgedFit,
  type JudgedHost,
  judgeInSteps,
  type PlacementWord,
} from '@/lib/domain/fit/judge-fit'
import { withPciGroups } from '@/lib/domain/fit/pci-groups'
import { withAnswer } from '@/lib/domain/fit/with-answer'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { FitGroup, FitReportDto, HostFitDto } from '@/lib/schemas/api/fit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { inSlices } from '@/lib/util/in-slices'
import { pageOf } from '@/lib/util/page-of'
import { askPlacement, type LiveAnswer, limitedQuery, noAnswer } from './ask-placement'
import { type FitFindings, loadFitFindings } from './fit-findings'

type Cards = ReadonlyMap<string, Pgpu>

const cardsOf = (fleet: Fleet): Cards =>
  new Map(
    fleet.hosts.flatMap(({ host, pgpus }) =>
      pgpus.map(({ pgpu }): [string, Pgpu] => [`${host.name} ${pgpu.address}`, pgpu]),
    ),
  )

const hostDto = (judged: JudgedHost, cards: Cards, findings: FitFindings): HostFitDto => {
  const { isExact: _, pgpus, ...host } = judged
  return {
    ...host,
    reasons: [...judged.reasons],
    findings: findings.ofHost(judged.host),
    pgpus: pgpus.map(({ address, fits, blockers }) => {
      const pgpu = cards.get(`${judged.host} ${address}`)
      return {
        address,
        model: pgpu?.model ?? address,
        typeName: pgpu?.currentType?.shortName ?? null,
        fits,
        reasons: [...blockers],
        findings: findings.ofPgpu(judged.host, address),
      }
    }),
  }
}

const answerDto = (judged: JudgedFit, count: number | null, gap: string | null): FitReportDto['answer'] =>
  count === null ? null : { count, ...answerCount(judged, count, gap) }

/** The fleet with Placement's newest values, if it answered. */
const renewed = async (
  ctx: ServiceContext,
  fleet: Fleet,
  parts: readonly RequestedPart[],
): Promise<Fleet> => {
  const facts = withAnswer(fleet.input.facts, new Map(parts.flatMap(({ live }) => [...live.summaries])))
  return facts === fleet.input.facts ? fleet : inSlices(joinInSteps({ ...fleet.input, facts }), ctx.signal)
}

/** An alias is defined in nova.conf of the API: without it no query is equal to the flavor's own. */
const cannotAsk = (because: string): LiveAnswer =>
  noAnswer(
    'not-asked',
    `${because.charAt(0).toUpperCase()}${because.slice(1)}. With [pci] report_in_placement, a flavor that requests the resource class of the devices (resources:CUSTOM_…) can be counted.`,
  )

/** Of a type: which of the offered providers carry it, with their roots. Placement's answer has other types, too. */
type CarriersOf = (question: FitQuestion, offered: ReadonlySet<string>) => ReadonlyMap<string, string>

/** One question with Placement's answer to it. */
type RequestedPart = {
  question: FitQuestion
  call: string
  live: LiveAnswer
  carriers: ReadonlyMap<string, string> | null
}

const askPart = async (
  ctx: ServiceContext,
  {
    cloud,
    fleet,
    question,
    memberOf,
  }: { cloud: Cloud; fleet: Fleet; question: FitQuestion; memberOf: string | null },
  carriersOf: CarriersOf | undefined,
): Promise<RequestedPart> => {
  const query = candidatesQuery(withPciGroups(fleet, question.request))
  const problem = aliasProblem(fleet, question.request)
  const call = limitedQuery(memberOf === null ? query : `${query}&member_of=${memberOf}`)
  const live = problem === null ? await askPlacement(ctx, cloud, call) : cannotAsk(problem.because)
  return { question, call, live, carriers: carriersOf?.(question, live.offered) ?? null }
}

const wordOf = ({ live, carriers }: RequestedPart): PlacementWord =>
  carriers === null || live.word.state !== 'answered'
    ? live.word
    : { ...live.word, roots: new Set(carriers.values()) }

/** The worst of several answers represents all. */
const placementDto = (parts: readonly RequestedPart[]): FitReportDto['placement'] => {
  const worst = parts.find(({ live }) => live.state !== 'answered') ?? parts[0]
  const counts = parts.map(({ live, carriers }) =>
    live.candidates === null ? null : (carriers?.size ?? live.candidates),
  )
  return {
    state: worst?.live.state ?? 'not-asked',
    at: worst?.live.at ?? null,
    because: worst?.live.because ?? null,
    candidates: counts.includes(null) ? null : counts.reduce((sum: number, count) => sum + (count ?? 0), 0),
    isCut: parts.some(({ live }) => live.word.state === 'answered' && live.word.isCut),
  }
}

/** The part of the hosts that is listed. */
export type HostPage = { q: string; group: FitGroup | null; limit: number; cursor: string | null }

const listHosts = (
  hosts: readonly JudgedHost[],
  {
    cards,
    findings,
    page: { q, group, limit, cursor },
  }: { cards: Cards; findings: FitFindings; page: HostPage },
): Pick<
  FitReportDto,
  'hostCount' | 'offeredHosts' | 'overPromisedHosts' | 'groups' | 'hosts' | 'total' | 'next'
> => {
  const textOf = ({ host, pgpus }: JudgedHost): string =>
    [
      host,
      ...pgpus.map(({ address }) => {
        const pgpu = cards.get(`${host} ${address}`)
        return `${pgpu?.model ?? address} ${pgpu?.currentType?.shortName ?? ''}`
      }),
    ].join(' ')
  const { rows, total, next } = pageOf(arrangeFits(hosts, { q, group, textOf }), {
    limit,
    cursor,
    keyOf: ({ host }) => host,
  })
  return {
    hostCount: hosts.length,
    offeredHosts: hosts.filter(({ isOffered }) => isOffered === true).length,
    overPromisedHosts: hosts.filter(({ discrepancy }) => discrepancy === 'over-promise').length,
    groups: countGroups(hosts),
    hosts: rows.map((host) => hostDto(host, cards, findings)),
    total,
    next,
  }
}

/**
 * Queries Placement with a request's own query, explains the result by the hardware and the last reading, and compares
 * the two. Of several questions each is queried, and each host is checked with its own. `memberOf`: the filter that Nova
 * adds for an availability zone.
 */
export const reportFit = async (
  ctx: ServiceContext,
  {
    cloud,
    fleet,
    questions,
    memberOf,
    carriersOf,
    count,
    page,
  }: {
    cloud: Cloud
    fleet: Fleet
    questions: readonly [FitQuestion, ...FitQuestion[]]
    memberOf: string | null
    carriersOf?: CarriersOf
    count: number | null
    page: HostPage
  },
): Promise<FitReportDto> => {
  const [parts, findings] = await Promise.all([
    Promise.all(questions.map((question) => askPart(ctx, { cloud, fleet, question, memberOf }, carriersOf))),
    loadFitFindings(ctx, cloud),
  ])
  const now = await renewed(ctx, fleet, parts)
  const indexes = askHosts(fleet, questions)
  const read = await inSlices(explainInSteps(now, questions[0]), ctx.signal)
  const fits: FitPart[] = []
  for (const [index, part] of parts.entries()) {
    const report = index === 0 ? read : await inSlices(explainInSteps(now, part.question), ctx.signal)
    fits.push({
      hosts: report.hosts.filter(({ host }) => (indexes.get(host) ?? 0) === index),
      word: wordOf(part),
    })
  }
  const judged = await inSlices(judgeInSteps(fits), ctx.signal)
  const { hosts, ...sums } = judged
  return {
    query: parts.map(({ call }) => call).join('\n'),
    ignored: [...read.ignored],
    readAt: fleet.input.facts.providers.at,
    gap: read.gap,
    placement: placementDto(parts),
    ...sums,
    answer: answerDto(judged, count, read.gap),
    ...listHosts(hosts, { cards: cardsOf(fleet), findings, page }),
  }
}
