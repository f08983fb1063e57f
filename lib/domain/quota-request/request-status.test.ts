import { describe, expect, it } from 'vitest'
import { isUndecided, type RequestFacts, requestStatus, untilProblem, whyNotDecide } from './request-status'

const facts = (rest: Partial<RequestFacts>): RequestFacts => ({
  state: 'approved',
  changeState: 'done',
  backChangeState: null,
  endNote: null,
  ...rest,
})

describe('where a request is', () => {
  it.each([
    [{ state: 'open', changeState: null }, 'open'],
    [{ changeState: 'planned' }, 'writing'],
    [{ changeState: 'undoing' }, 'writing'],
    [{ changeState: 'dropped' }, 'unwritten'],
    [{ changeState: 'undone' }, 'reverted'],
    [{ changeState: null }, 'unwritten'],
    [{}, 'granted'],
    [{ backChangeState: 'running' }, 'ending'],
    [{ state: 'ended', backChangeState: 'done' }, 'ended'],
    [{ state: 'ended', endNote: 'An admin changed it.' }, 'left'],
  ] as const)('%j is %s', (rest, status) => {
    expect(requestStatus(facts(rest))).toBe(status)
  })

  it('is pending while no change writes its limit, and else has its other status', () => {
    expect(isUndecided('unwritten')).toBe(true)
    expect(whyNotDecide('open')).toBeNull()
    expect(whyNotDecide('granted')).toBe('is granted')
    expect(isUndecided('declined')).toBe(false)
  })
})

it('an end date lies ahead, and not so far that it is none', () => {
  const now = new Date('2026-11-21T08:00:00Z')
  expect(untilProblem(null, now)).toBeNull()
  expect(untilProblem(now, now)).toBe('must be later than now')
  expect(untilProblem(new Date('2027-01-01'), now)).toBeNull()
  expect(untilProblem(new Date('2040-01-01'), now)).toContain(
    'must be within 1830 days; omit it for a permanent limit',
  )
})
