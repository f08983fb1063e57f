import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OCTOBER_V2, OCTOBER_V4 } from '@/lib/domain/review/testing/october'
import {
  type ReviewContentV2,
  type ReviewContentV4,
  reviewContentV2Schema,
  reviewContentV4Schema,
} from '@/lib/schemas/api/review-content'
import { ReviewSheet } from '../review-sheet'

const FROZEN = {
  id: 1,
  madeAt: '2026-11-02T08:00:00.000Z',
  madeBy: 'system',
  fingerprint: 'f3c188a05e27'.padEnd(64, '0'),
}

const draw = (content: ReviewContentV2 | ReviewContentV4): string =>
  renderToStaticMarkup(
    <ReviewSheet
      cloud={content.cloud}
      content={content}
      frozen={FROZEN}
      closesAt={null}
      region="RegionOne"
    />,
  )

/** Words and titles, one below the other. */
const textOf = (markup: string): string =>
  markup
    .replaceAll(/<\/?(b|small|span|code)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, '\n')
    .replaceAll(/\n\s*\n+/g, '\n')
    .trim()

test('what was frozen as version 2 is shown as it always was', async () => {
  expect(reviewContentV2Schema.parse(OCTOBER_V2)).toEqual(OCTOBER_V2)
  await expect(`${textOf(draw(OCTOBER_V2))}\n`).toMatchFileSnapshot('testing/october-v2.txt')
})

test('what was frozen as version 4 is shown as it was then', async () => {
  expect(reviewContentV4Schema.parse(OCTOBER_V4)).toEqual(OCTOBER_V4)
  await expect(`${textOf(draw(OCTOBER_V4))}\n`).toMatchFileSnapshot('testing/october-v4.txt')
})

test('what was not measured is counted, and the longest idle vGPU is followed over its hosts', () => {
  const text = textOf(draw(OCTOBER_V2))
  for (const line of [
    '34 of 42 pGPUs measured, 8 not',
    'longest desk-7 of vdi-north: since 3 Aug 2026, on cmp-r6-04, then cmp-r6-09',
    'nobody can tell of 4 of 443 held vGPUs: 3 not measured, 1 measured less than half of the time',
  ])
    expect(text).toContain(line)
  const utilization = { isKnown: true, average: 1, peak: 2, at: null } as const
  const all = { ...OCTOBER_V2, utilisation: { ...utilization, pgpus: { measured: 42, unmeasured: 0 } } }
  expect(textOf(draw(all))).not.toContain('pGPUs measured')
})

test('refused servers are counted by vGPU type where that was frozen', () => {
  const types = {
    rows: [
      { label: 'A40-24Q', servers: 31 },
      { label: null, servers: 4 },
    ],
    others: 3,
  }
  const content = { ...OCTOBER_V2, refused: { ...OCTOBER_V2.refused, types } }
  expect(reviewContentV2Schema.parse(content)).toEqual(content)
  expect(textOf(draw(content))).toContain('by type: A40-24Q 31, unknown type 4, others 3')
  expect(textOf(draw(OCTOBER_V2))).not.toContain('by type')
})

test('a type that is repeatedly full is shown by its peak, with the meaning of since, where that was frozen', () => {
  const rows = OCTOBER_V2.types.rows.map((row, index) => ({
    ...row,
    peak: index === 0 ? row.capacity : null,
  }))
  const content = { ...OCTOBER_V2, types: { ...OCTOBER_V2.types, rows } }
  expect(reviewContentV2Schema.parse(content)).toEqual(content)
  const text = textOf(draw(content))
  expect(text).toContain('7-day peak\nFull\nA40-24Q\n16 / 16\nsince 12 Oct 2026\nL40S-16Q\n– / 48')
  expect(text).toContain('Since: full at least once a week from then on.')
})

test('every mark has its label in its own row where they are near each other, and the rest is counted', () => {
  const marks = Array.from({ length: 12 }, (_, hour) => ({
    at: `2026-10-12T${String(hour + 8).padStart(2, '0')}:00:00.000Z`,
    label: `change ${hour + 1}: something`,
  }))
  const markup = draw({ ...OCTOBER_V2, chart: { ...OCTOBER_V2.chart, marks } })
  const labels = [...markup.matchAll(/<text[^>]* y="([\d.]+)" class="review-mark">([^<]*)/g)]
  expect(labels.map(([, , words]) => words)).toEqual(['change 1', 'change 2', 'change 3', '+9 more'])
  expect(new Set(labels.map(([, y]) => y)).size).toBe(4)
  expect(markup.match(/<title>change \d+: something/g)).toHaveLength(12)
})
