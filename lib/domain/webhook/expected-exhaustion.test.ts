import { expect, test } from 'vitest'
import { advanceExpected, type ExpectedGroup, type NotifiedGroup } from './expected-exhaustion'

const TODAY = Date.parse('2026-11-21')
const day = (offset: number): string => new Date(TODAY + offset * 86_400_000).toISOString().slice(0, 10)

const group = (likely: string | null): ExpectedGroup => ({
  ...{ by: 'type', key: 'nvidia-563', label: 'A40-24Q', likely, capacity: 40, used: 36 },
})

/** The days on which it is reported, with one forecast a day; null: that day has none. */
const notifications = (likely: readonly (string | 'none' | null)[]): number[] => {
  let notified: NotifiedGroup[] = []
  return likely.flatMap((each, offset) => {
    const groups = each === null ? [] : [group(each === 'none' ? null : each)]
    const step = advanceExpected({ notified, groups, today: day(offset) })
    notified = step.held
    return step.begun.map(() => offset)
  })
}

test('webhooks are notified on the first day that is at most 30 days before', () => {
  expect(notifications([day(33), day(33), day(33), day(33), day(33)])).toEqual([3])
})

test('a likely day that moves a little is notified once, one that disappeared and returned is notified again', () => {
  expect(notifications([day(30), day(40), day(30), day(44), day(20)])).toEqual([0])
  expect(notifications([day(30), day(60), day(30)])).toEqual([0, 2])
  expect(notifications([day(30), 'none', day(30)])).toEqual([0, 2])
})

test('a day without a forecast changes nothing', () => {
  expect(notifications([day(30), null, null, day(30)])).toEqual([0])
})
