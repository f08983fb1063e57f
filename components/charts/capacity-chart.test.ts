import { expect, test } from 'vitest'
import { chartTop } from './capacity-chart'
import type { ChartPoint } from './chart-point'

const point = (words: Partial<ChartPoint>): ChartPoint => ({
  at: 0,
  beginsAt: 0,
  endsAt: 0,
  capacity: null,
  used: null,
  usedMax: null,
  spare: null,
  orphan: null,
  stranded: null,
  free: null,
  unseen: null,
  ...words,
})

test('the axis ends at a round number above all that is drawn', () => {
  expect(chartTop([point({ capacity: 384, used: 300 })])).toBe(400)
  expect(chartTop([point({ used: 130, before: 410 })])).toBe(500)
  expect(chartTop([])).toBe(4)
})

test('what is not watched counts where it lasts, and not as the edge of a gap', () => {
  const seen = point({ capacity: 384, unseen: 0 })
  const edge = point({ capacity: 384, unseen: 190 })
  const gap = point({ unseen: 384 })
  expect(chartTop([seen, edge, gap, gap, edge, seen])).toBe(400)
  const partly = point({ capacity: 300, unseen: 130 })
  expect(chartTop([partly, partly, partly])).toBe(500)
})
