import { expect, test } from 'vitest'
import { advanceExhaustions, EXHAUSTION_MS, type Exhaustion, type TypeSums } from './exhaustion'

const BEGIN = Date.parse('2026-11-21T14:00:00.000Z')
const at = (minutes: number): string => new Date(BEGIN + minutes * 60_000).toISOString()

const FULL: TypeSums = {
  typeId: 'nvidia-563',
  typeName: 'A40-24Q',
  pgpus: 2,
  capacity: 4,
  used: 4,
  spare: 0,
  creatable: 0,
  unknown: 0,
}
const FREE: TypeSums = { ...FULL, used: 3, creatable: 1 }
const SPARE: TypeSums = { ...FULL, used: 3, spare: 1 }
const HALF_KNOWN: TypeSums = { ...FULL, unknown: 1 }
const NOT_KNOWN: TypeSums = { ...FULL, capacity: null, used: null, spare: null, creatable: null, unknown: 2 }

/** The events of checks one minute apart. */
const notifications = (looks: readonly (TypeSums | null)[]): string[] => {
  let held: readonly Exhaustion[] = []
  return looks.flatMap((sums, minute) => {
    const step = advanceExhaustions({ held, types: sums === null ? [] : [sums], now: at(minute) })
    held = step.held
    return [
      ...step.begun.map(({ exhaustion }) => `${minute}: none since ${exhaustion.since.slice(14, 16)}`),
      ...step.ended.map(({ because, endedAt }) => `${minute}: ${because} since ${endedAt.slice(14, 16)}`),
    ]
  })
}
const times = (count: number, sums: TypeSums | null) => Array.from({ length: count }, () => sums)

test('it is reported once after it lasted, and once when it has been over for as long', () => {
  expect(EXHAUSTION_MS).toBe(10 * 60_000)
  expect(notifications([FREE, ...times(30, FULL), ...times(30, SPARE), ...times(11, FULL)])).toEqual([
    '11: none since 01',
    '41: free since 31',
    '71: none since 01',
  ])
})

test('one that goes back and forth sends nothing, before and after', () => {
  expect(notifications([...times(9, FULL), FREE, ...times(9, FULL), FREE])).toEqual([])
  expect(notifications([...times(11, FULL), ...times(9, FREE), FULL, ...times(9, FREE), FULL])).toEqual([
    '10: none since 00',
  ])
})

test('an unknown card begins and ends nothing, and one free card is enough', () => {
  expect(notifications(times(30, HALF_KNOWN))).toEqual([])
  expect(notifications(times(30, NOT_KNOWN))).toEqual([])
  expect(notifications([...times(9, FULL), NOT_KNOWN, ...times(11, FULL)])).toEqual(['20: none since 10'])
  expect(notifications([...times(11, FULL), ...times(30, NOT_KNOWN)])).toEqual(['10: none since 00'])
  expect(notifications([...times(11, FULL), ...times(11, { ...FREE, unknown: 1 })])).toEqual([
    '10: none since 00',
    '21: free since 11',
  ])
})

test('a type that no card has any more is over', () => {
  expect(notifications([...times(11, FULL), ...times(11, null)])).toEqual([
    '10: none since 00',
    '21: gone since 11',
  ])
  expect(notifications([...times(5, FULL), ...times(20, null)])).toEqual([])
})
