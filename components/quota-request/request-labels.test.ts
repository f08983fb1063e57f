import { expect, it } from 'vitest'
import { dayOfUntil, promisedAfter, untilOfDay } from './request-labels'

it('a day of the date field ends where the reader is, and comes back as the same day', () => {
  expect(untilOfDay('', 'local')).toBeNull()
  expect(dayOfUntil(null, 'local')).toBe('')
  const until = untilOfDay('2027-01-31', 'local') ?? ''
  expect(dayOfUntil(until, 'local')).toBe('2027-01-31')
  expect(new Date(until).getHours()).toBe(23)
})

it('the allocated quota grows with the limit, and negative limits allocate nothing', () => {
  const limit = { kind: 'number', value: 4, origin: 'own' } as const
  expect(promisedAfter({ limit, promised: 20, value: 9 })).toBe(25)
  expect(promisedAfter({ limit: { ...limit, value: -1 }, promised: 20, value: 9 })).toBe(29)
  expect(promisedAfter({ limit: null, promised: 20, value: 9 })).toBeNull()
  expect(promisedAfter({ limit, promised: null, value: 9 })).toBeNull()
})
