import type { ReviewContent, ReviewContentV1 } from '@/lib/schemas/api/review-content'
import { SEVERITIES } from '@/lib/schemas/severity'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'

/** Names that differ between versions of the content; exports of a frozen review do not change. */
const UNTIL_V3 = {
  start: 'at the begin',
  orphans: 'orphan mdevs removed',
  utilization: 'utilisation',
  unmeasured: 'nobody can tell',
  noReason: 'the reason was not kept',
  weekPeak: 'at most in the last 7 days',
}
const SINCE_V4: typeof UNTIL_V3 = {
  start: 'at the start',
  orphans: 'orphaned mdevs removed',
  utilization: 'utilization',
  unmeasured: 'unknown',
  noReason: 'the reason was not stored',
  weekPeak: 'peak of the last 7 days',
}
const csvNames = ({ version }: Pick<ReviewContent, 'version'>) => (version < 4 ? UNTIL_V3 : SINCE_V4)

type AfterV1 = Exclude<ReviewContent, ReviewContentV1>

/** One number or text of a review: `at` ISO 8601 UTC, `value` null if it is unknown or `text` has it. */
type ReviewFact = {
  part: string
  name: string
  at: string | null
  value: number | null
  text: string | null
}

const fact = (part: string, name: string, rest: Partial<ReviewFact> = {}): ReviewFact => ({
  part,
  name,
  at: null,
  value: null,
  text: null,
  ...rest,
})

const fleetFacts = (part: string, at: string, fleet: ReviewContent['end']): ReviewFact[] =>
  fleet === null
    ? [fact(part, 'capacity', { at, text: 'unknown' })]
    : [
        ...(['capacity', 'used', 'spare', 'orphan', 'stranded'] as const).map((name) =>
          fact(part, name, { at, value: fleet[name] }),
        ),
        ...('unseen' in fleet
          ? [fact(part, 'unseen', { at, value: fleet.unseen })]
          : [
              fact(part, 'last known capacity', { at, value: fleet.lastKnown?.capacity ?? 0 }),
              fact(part, 'last known used', { at, value: fleet.lastKnown?.used ?? 0 }),
              fact(part, 'passthrough capacity', { at, value: fleet.passthrough.capacity }),
              fact(part, 'passthrough used', { at, value: fleet.passthrough.used }),
            ]),
      ]

const fullText = (full: ReviewContent['types']['rows'][number]['full']): string => {
  switch (full.kind) {
    case 'full':
      return `full since ${full.since}`
    case 'dated':
      return `full between ${full.earliest} and ${full.latest ?? 'later than the forecast'}`
    case 'after':
      return `not full before ${full.day}`
    case 'not-growing':
      return 'not growing'
    case 'unknown':
      return full.because
  }
}

const chartFacts = ({
  from,
  stepSeconds,
  used,
  capacity,
  unseen,
  marks,
}: ReviewContent['chart']): ReviewFact[] => [
  ...used.flatMap((value, index) => {
    const at = new Date(Date.parse(from) + index * stepSeconds * 1000).toISOString()
    return [
      fact('chart', 'used peak', { at, value }),
      fact('chart', 'capacity', { at, value: capacity[index] ?? null }),
      fact('chart', 'unseen', { at, value: unseen[index] ?? null }),
    ]
  }),
  ...marks.map(({ at, label }) => fact('chart', 'mark', { at, text: label })),
]

const doneFacts = (
  { changes, orphans, silent }: ReviewContent['done'],
  names: typeof UNTIL_V3,
): ReviewFact[] => [
  ...changes.map(({ id, title, isUndone, at, effect }) =>
    fact('done', `change ${id}`, { at, value: effect, text: isUndone ? `${title} (rolled back)` : title }),
  ),
  fact('done', names.orphans, { value: orphans.mdevs }),
  ...silent.map(({ host, from, until }) =>
    fact('done', `silent ${host}`, { at: from, text: until === null ? 'not ended' : `until ${until}` }),
  ),
]

/** The additional facts of version 2. */
const usageFactsV2 = ({ utilisation, idle }: AfterV1, names: typeof UNTIL_V3): ReviewFact[] => [
  ...(utilisation.isKnown
    ? [
        fact(names.utilization, 'pGPUs measured', { value: utilisation.pgpus.measured }),
        fact(names.utilization, 'pGPUs not measured', { value: utilisation.pgpus.unmeasured }),
      ]
    : []),
  ...(idle.isKnown
    ? [
        ...idle.untold.map(({ reason, vgpus }) =>
          fact('idle', names.unmeasured, { value: vgpus, text: reason }),
        ),
        ...idle.longest.map(({ server, project, since, hosts }) =>
          fact('idle', server, { at: since, text: `${project}, on ${hosts.join(', ')}` }),
        ),
      ]
    : []),
]

const usageFacts = ({ utilisation, idle }: ReviewContent, names: typeof UNTIL_V3): ReviewFact[] => [
  ...(utilisation.isKnown
    ? [
        fact(names.utilization, 'average percent', { value: utilisation.average }),
        fact(names.utilization, 'peak percent', { at: utilisation.at, value: utilisation.peak }),
      ]
    : [fact(names.utilization, 'average percent', { text: utilisation.because })]),
  ...(idle.isKnown
    ? [
        fact('idle', 'vGPUs', {
          value: idle.vgpus,
          text: `under ${idle.belowPercent} % for ${idle.days} days`,
        }),
        ...idle.projects.map(({ label, vgpus }) => fact('idle', label, { value: vgpus })),
      ]
    : [fact('idle', 'vGPUs', { text: idle.because })]),
]

const refusedTypeFacts = ({ refused: { types } }: AfterV1): ReviewFact[] =>
  (types?.rows ?? []).map(({ label, servers }) =>
    fact('refused', `type ${label ?? 'unknown'}`, { value: servers }),
  )

/** All values of a review as one long table, for spreadsheets. */
const reviewTable = (content: ReviewContent): ReviewFact[] => {
  const { period, peak, average, refused, stranded, types, projects, findings, help } = content
  const names = csvNames(content)
  return [
    ...fleetFacts(names.start, period.from, content.before),
    ...fleetFacts('at the end', period.knownUntil, content.end),
    fact('peak', 'used', { at: peak?.at ?? null, value: peak?.used ?? null }),
    fact('peak', 'capacity', { at: peak?.at ?? null, value: peak?.capacity ?? null }),
    fact('average', 'used', { value: average.used }),
    fact('average', 'capacity', { value: average.capacity }),
    fact('refused', 'servers', { value: refused.servers }),
    ...refused.groups.map(({ flavor, reason, servers }) =>
      fact('refused', flavor ?? 'unknown flavor', { value: servers, text: reason }),
    ),
    ...usageFacts(content, names),
    ...(content.version === 1 ? [] : [...refusedTypeFacts(content), ...usageFactsV2(content, names)]),
    ...stranded.map(({ because, vgpus }) =>
      fact('stranded', 'vGPUs', { value: vgpus, text: because ?? names.noReason }),
    ),
    ...types.rows.flatMap(({ label, used, capacity, full, ...row }) => [
      fact('types', label, { value: used, text: `of ${capacity}` }),
      ...('peak' in row && row.peak !== undefined
        ? [fact('types', label, { value: row.peak, text: names.weekPeak })]
        : []),
      fact('types', label, { text: fullText(full) }),
    ]),
    ...(projects.rows ?? []).map(({ label, before, after }) =>
      fact('projects', label, { value: Math.round((after - before) * 10) / 10 }),
    ),
    ...doneFacts(content.done, names),
    fact('findings', 'opened', { value: findings.opened }),
    fact('findings', 'closed', { value: findings.closed }),
    ...SEVERITIES.map((severity) => fact('findings', `open ${severity}`, { value: findings.open[severity] })),
    ...findings.rows.map(({ severity, sentence, since }) =>
      fact('findings', severity, { at: since, text: sentence }),
    ),
    ...help.map(({ sentence, effect }) => fact('help', sentence, { text: effect })),
    ...chartFacts(content.chart),
  ]
}

/** A review's numbers and names, one fact per line. */
export const reviewCsv = (content: ReviewContent): Encoded<'csv'> =>
  csvText([
    ['part', 'name', 'at', 'value', 'text'],
    ...reviewTable(content).map(({ part, name, at, value, text }) => [part, name, at, value, text]),
  ])
