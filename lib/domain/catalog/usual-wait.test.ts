import { describe, expect, test } from 'vitest'
import { emptySlot, type Slot } from '@/lib/domain/history/figures'
import { type HourWord, hourWord, joinHours, usualWait } from './usual-wait'

const HOUR_MS = 3_600_000

/** `none 3` and the like, one after the other. */
const hours = (...runs: [HourWord, number][]): HourWord[] =>
  runs.flatMap(([word, count]) => new Array<HourWord>(count).fill(word))

const times = (...lengths: number[]): [HourWord, number][] =>
  lengths.flatMap((length): [HourWord, number][] => [
    ['some', 2],
    ['none', length],
  ])

describe('the word for how long it usually lasts', () => {
  test.each([
    [[1, 2, 3, 4, 30], 'hours'],
    [[1, 2, 5, 10, 30], 'day'],
    [[5, 20, 40, 72, 200], 'days'],
    [[5, 100, 120, 168, 500], 'week'],
    [[5, 100, 169, 170, 500], null],
  ] as const)('after times of %j hours is %s', (lengths, word) => {
    expect(usualWait(hours(...times(...lengths, 1)))).toBe(word)
  })

  test('is none after four times, while some is free, and once this time has outlasted the longest word', () => {
    expect(usualWait(hours(...times(1, 1, 1, 1, 1)))).toBeNull()
    expect(usualWait(hours(...times(1, 1, 1, 1, 1), ['some', 1]))).toBeNull()
    expect(usualWait(hours(...times(1, 1, 1, 1, 1, 169)))).toBeNull()
  })

  test('grows with the time that continues', () => {
    expect(usualWait(hours(...times(1, 1, 1, 1, 1, 4)))).toBe('hours')
    expect(usualWait(hours(...times(1, 1, 1, 1, 1, 5)))).toBe('day')
  })

  test('does not count a time whose begin or end is unknown', () => {
    const four = times(1, 1, 1, 1)
    expect(usualWait(hours(['none', 3], ...four, ...times(1)))).toBeNull()
    expect(usualWait(hours(...four, ['some', 1], ['none', 1], [null, 1], ...times(1)))).toBeNull()
    expect(usualWait(hours(...four, [null, 1], ['none', 1], ...times(1)))).toBeNull()
    expect(usualWait(hours(...four, ...times(1, 1)))).toBe('hours')
  })
})

describe('an hour', () => {
  const figure = (min: number, max: number) => ({ knownMs: HOUR_MS, integral: 0, min, max })
  const slot = (changed: Partial<Slot> = {}): Slot => ({
    ...emptySlot({ knownMs: HOUR_MS, isHeld: false }),
    capacity: figure(16, 16),
    used: figure(16, 16),
    ...changed,
  })

  test('had none free where all were taken all the time', () => {
    expect(hourWord(slot())).toBe('none')
    expect(hourWord(slot({ used: figure(14, 14), orphan: figure(2, 2) }))).toBe('none')
    expect(hourWord(slot({ used: figure(15, 16) }))).toBe('some')
  })

  test('is unknown if a host was not watched, unless one was free elsewhere', () => {
    expect(hourWord(null)).toBeNull()
    expect(hourWord(slot({ unseen: figure(0, 4) }))).toBeNull()
    expect(hourWord(slot({ gapMs: 1 }))).toBeNull()
    expect(hourWord(slot({ unseen: figure(0, 4), used: figure(3, 3) }))).toBe('some')
  })

  test('of several types had none where none of them had', () => {
    expect(
      joinHours([
        ['none', 'none', 'none', null],
        ['none', 'some', null, 'some'],
      ]),
    ).toEqual(['none', 'some', null, 'some'])
  })
})
