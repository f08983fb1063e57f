import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { answerCount } from '@/lib/domain/fit/answer-count'
import { explainFit, type FitQuestion } from '@/lib/domain/fit/explain-fit'
import { candidatesQuery } from '@/lib/domain/fit/flavor-request'
import { type JudgedFit, type JudgedHost, judgeFit } from '@/lib/domain/fit/judge-fit'
import { withAnswer } from '@/lib/domain/fit/with-answer'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { FitReportDto, HostFitDto } from '@/lib/schemas/api/fit'
import type { ServiceContext } from '@/lib/server/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
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

/** The fleet as Placement has just told it, where it has. */
const renewed = (fleet: Fleet, { summaries }: LiveAnswer): Fleet =>
  summaries.size === 0
    ? fleet
    : joinFleet({ ...fleet.input, facts: withAnswer(fleet.input.facts, summaries) })

/** An alias is defined with the API: without that no query is the flavor's own. */
const cannotAsk = (alias: string): LiveAnswer =>
  noAnswer(
    'not-asked',
    `It asks for PCI devices by the alias ${alias}, whose definition lies with the API, so its query can't be told.`,
  )

/**
 * Asks Placement with a request's own query, explains by what hardware and Placement say, and holds the two against each
 * other. `memberOf`: the filter that Nova adds for an availability zone.
 */
export const reportFit = async (
  ctx: ServiceContext,
  {
    cloud,
    fleet,
    question,
    memberOf,
    carriersOf,
    count,
  }: {
    cloud: Cloud
    fleet: Fleet
    question: FitQuestion
    memberOf: string | null
    /** Of a type: which of the offered providers carry it, with their roots. Placement's answer has other types, too. */
    carriersOf?: (offered: ReadonlySet<string>) => ReadonlyMap<string, string>
    count: number | null
  },
): Promise<FitReportDto> => {
  const query = candidatesQuery(question.request)
  const [alias] = question.request.aliases
  const call = limitedQuery(memberOf === null ? query : `${query}&member_of=${memberOf}`)
  const [live, findings] = await Promise.all([
    alias === undefined ? askPlacement(ctx, cloud, call) : cannotAsk(alias.name),
    loadFitFindings(ctx, cloud),
  ])
  const read = explainFit(renewed(fleet, live), question)
  const carriers = carriersOf?.(live.offered)
  const word = carriers === undefined ? live.word : { ...live.word, roots: new Set(carriers.values()) }
  const judged = judgeFit(read, word)
  const cards = cardsOf(fleet)
  const { hosts, ...sums } = judged
  const { state, at, because, candidates } = live
  return {
    query: call,
    ignored: [...read.ignored],
    readAt: fleet.input.facts.providers.at,
    gap: read.gap,
    placement: {
      state,
      at,
      because,
      candidates: candidates === null ? null : (carriers?.size ?? candidates),
      isCut: live.word.state === 'answered' && live.word.isCut,
    },
    ...sums,
    answer: answerDto(judged, count, read.gap),
    hosts: hosts.map((host) => hostDto(host, cards, findings)),
  }
}
