import { expect, test } from 'vitest'
import type { CapacityWeek } from '@/lib/schemas/api/capacity-week'
import { weekPicture } from './week-picture'

const none = () => new Array<number | null>(24).fill(null)
const days = Array.from({ length: 7 }, () => ({ average: none(), max: none() }))
const thursday = days[3]
if (thursday !== undefined) {
  thursday.average[9] = 576.4
  thursday.average[10] = 288.2
  thursday.max[9] = 581
}
const WEEK: CapacityWeek = {
  cloud: 'paris',
  by: 'all',
  key: '',
  from: '2026-10-22T14:00:00.000Z',
  until: '2026-11-21T15:00:00.000Z',
  timeZone: 'UTC',
  days,
}
const colours = { panel: '#fff', accent: '#0b7a75', ink: '#000', font: '"Inter Variable", sans-serif' }

test('each hour has its number on its tint, and an unknown one a dash without a tint', () => {
  const { text, width, height } = weekPicture(WEEK, { figure: 'average', title: 'A & B <x>', colours })
  expect(text).toContain(`viewBox="0 0 ${width} ${height}"`)
  expect(text).toContain('A &amp; B &lt;x&gt;')
  expect(text).toContain('font-family="&quot;Inter Variable&quot;, sans-serif"')
  expect(text.match(/fill-opacity="0.55"\/><text[^>]*>576</g)).toHaveLength(1)
  expect(text.match(/fill-opacity="0.28"\/><text[^>]*>288</g)).toHaveLength(1)
  expect(text.match(/fill-opacity="0"\/><text[^>]*>–</g)).toHaveLength(7 * 24 - 2)
  expect(weekPicture(WEEK, { figure: 'max', title: '', colours }).text).toContain('>581<')
})
