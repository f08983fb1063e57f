import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OCTOBER } from '@/lib/domain/review/testing/october'
import { type ReviewContentV1, reviewContentV1Schema } from '@/lib/schemas/api/review-content'
import { ReviewSheetV1 } from './review-sheet'

const FROZEN = {
  id: 1,
  madeAt: '2026-11-02T08:00:00.000Z',
  madeBy: 'system',
  fingerprint: 'f3c188a05e27'.padEnd(64, '0'),
}

const draw = (content: ReviewContentV1, frozen: typeof FROZEN | null = FROZEN): string =>
  renderToStaticMarkup(
    <ReviewSheetV1
      content={content}
      frozen={frozen}
      closesAt="2026-11-01T23:00:00.000Z"
      region="RegionOne"
    />,
  )

/** Words, titles and lines of the chart, one below the other. */
const textOf = (markup: string): string =>
  markup
    .replaceAll(/<(path|line|rect)[^>]*? (d|x1|x)="([^"]{0,80})[^>]*>/g, '\n$1 $3\n')
    .replaceAll(/<\/?(b|small|span|code)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, '\n')
    .replaceAll(/\n\s*\n+/g, '\n')
    .trim()

test('what was frozen as version 1 is shown as it always was', async () => {
  expect(reviewContentV1Schema.parse(OCTOBER)).toEqual(OCTOBER)
  await expect(`${textOf(draw(OCTOBER))}\n`).toMatchFileSnapshot('testing/october.txt')
})

test('a preview states that its numbers can change', () => {
  const until = '2026-10-20T10:00:00.000Z'
  const content = { ...OCTOBER, period: { ...OCTOBER.period, knownUntil: until } }
  const text = textOf(draw(content, null))
  expect(text).toContain(
    'Preview, not closed: numbers move\nknown until 2026-10-20 12:00, closes 2026-11-02 00:00',
  )
  expect(text).toContain('Capacity now')
  expect(text).not.toContain('frozen')
})

test('the footer of a filtered review names the values of the whole cloud', () => {
  const filter = { by: 'type', key: 'nvidia-558', label: 'A40-24Q' } as const
  expect(textOf(draw({ ...OCTOBER, filter }))).toContain(
    'Refused servers, utilisation, idle vGPUs, projects, changes and findings are those of the whole cloud.',
  )
})

test('an unknown value is a dash with its reason, never a zero', () => {
  const text = textOf(
    draw({
      ...OCTOBER,
      before: null,
      end: null,
      peak: null,
      average: { used: null, capacity: null },
      utilisation: { isKnown: false, because: 'no agent reported it' },
      idle: { isKnown: false, because: 'no agent reported utilisation' },
      stranded: [],
      chart: {
        ...OCTOBER.chart,
        used: OCTOBER.chart.used.map(() => null),
        capacity: OCTOBER.chart.used.map(() => null),
        unseen: OCTOBER.chart.used.map(() => null),
        marks: [],
      },
      types: { rows: [], others: 0 },
      projects: { rows: null, others: 0 },
      done: { changes: [], others: 0, orphans: { mdevs: 0, hosts: 0 }, silent: [], otherSilent: 0 },
      help: [],
    }),
  )
  for (const line of [
    'Capacity at the end\n–',
    'nobody knew it',
    'Peak use\n–\nnobody watched',
    'Utilisation\n–\nnot known: no agent reported it',
    'Stranded\n–\nthe cloud had not said',
    'No vGPU type was watched at the end.',
    'Too little is known to compare.',
    'Nothing follows from these numbers.',
  ])
    expect(text).toContain(line)
  expect(text).not.toMatch(/path|NaN|Infinity/)
})

test('a time in a finding is in the time zone of the review', () => {
  const row = {
    severity: 'warning' as const,
    sentence: 'cmp-r4-02 has been silent since 2026-10-30T23:30:05.123Z',
    since: '2026-10-30T23:31:00.000Z',
  }
  const text = textOf(draw({ ...OCTOBER, findings: { ...OCTOBER.findings, rows: [row] } }))
  expect(text).toContain('cmp-r4-02 has been silent since 2026-10-31 00:30, since 31 Oct')
})

test('the chart leaves gaps open and keeps every extreme', () => {
  const lines = [...draw(OCTOBER).matchAll(/<path d="(M[^"]+)" fill="none" stroke="var\(--accent\)"/g)]
  expect(lines).toHaveLength(2)
  const steps = lines.map(([, path = '']) => path.match(/H/g)?.length)
  expect(steps).toEqual([400, 745 - 409])
  // The part without data is on top of the capacity, and not included in it.
  expect(draw(OCTOBER).match(/fill="url\(#review-gap\)"/g)).toHaveLength(3)
})
