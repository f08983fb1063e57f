import { expect, test } from 'vitest'
import type { ScenarioType } from '@/lib/schemas/api/scenario-result'
import { fullText } from './full-text'

const TODAY = '2026-11-23'
const SINCE = { kind: 'full', since: '2026-08-26' } as const
const group = (full: Partial<ScenarioType['full']>, after = 48): Pick<ScenarioType, 'full' | 'capacity'> => ({
  capacity: { before: 32, after },
  full: { before: SINCE, after: null, none: { reason: 'no-better' }, shortage: null, peak: 32, ...full },
})

test('a type that was full and has no forecast after is shown by its peak and the new capacity', () => {
  expect(fullText(group({}), 'before', TODAY)).toBe('since 26 Aug')
  expect(fullText(group({}), 'after', TODAY)).toBe('no longer full: at most 32 of 48 at the peak')
  expect(fullText(group({ after: { kind: 'not-growing' } }), 'after', TODAY)).toBe('not growing')
  expect(fullText(group({ after: SINCE }), 'after', TODAY)).toBe('since 26 Aug')
})

test('a type that was not full, or has no peak below the capacity, is shown as in the forecast', () => {
  expect(fullText(group({ before: null }), 'after', TODAY)).toBe('no forecast')
  expect(fullText(group({ before: null, after: SINCE }), 'after', TODAY)).toBe('at once')
  expect(fullText(group({ peak: null }), 'after', TODAY)).toBe('no forecast')
  expect(fullText(group({}, 32), 'after', TODAY)).toBe('no forecast')
  expect(fullText(group({}), 'after', null)).toBe('not enough data')
})
