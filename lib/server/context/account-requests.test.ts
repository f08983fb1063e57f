import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createAccountRequests } from './account-requests'
import type { Account, Actor } from './service-context'

const actor = (userId: string, { cloud = 'paris', source }: Partial<Account> = {}): Actor => ({
  kind: 'user',
  name: `${userId}@Default`,
  roles: ['reader'],
  account: {
    cloud,
    userId,
    userName: userId,
    userDomain: 'Default',
    scope: { kind: 'system' },
    source: source ?? { kind: 'session', sessionId: 1, sessionHash: 'h1' },
  },
})

const createWorld = (perSecond = 2) => {
  let nowMs = 0
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const requests = createAccountRequests({ perSecond, log, nowMs: () => nowMs })
  const ask = (who: Actor, times: number): number => {
    let served = 0
    for (let time = 0; time < times; time += 1)
      try {
        requests.count(who)
        served += 1
      } catch {
        // Counted by what was served.
      }
    return served
  }
  return { requests, ask, lines, wait: (seconds: number) => (nowMs += seconds * 1000) }
}

test('an account may send requests of some seconds at once, then the configured rate', () => {
  const { ask, wait } = createWorld()
  expect(ask(actor('ada'), 50)).toBe(10)
  wait(1)
  expect(ask(actor('ada'), 50)).toBe(2)
  wait(3600)
  expect(ask(actor('ada'), 50)).toBe(10)
})

test('all sessions and API tokens of an account count together, and every other account for itself', () => {
  const { ask } = createWorld()
  const token = actor('ada', { source: { kind: 'api-token', apiTokenId: 7, access: 'read' } })
  const other = actor('ada', { source: { kind: 'session', sessionId: 2, sessionHash: 'h2' } })
  expect([ask(actor('ada'), 4), ask(token, 4), ask(other, 4)]).toEqual([4, 4, 2])
  expect([ask(actor('bob'), 50), ask(actor('ada', { cloud: 'lyon' }), 50)]).toEqual([10, 10])
})

test('too many requests are refused in one sentence, and logged once a minute', () => {
  const { requests, ask, lines, wait } = createWorld()
  ask(actor('ada'), 500)
  expect(() => requests.count(actor('ada'))).toThrowError(
    expect.objectContaining({
      code: 'limit',
      retryAfterSeconds: 1,
      message:
        'Your account sends more than 2 requests per second with all its sessions and API tokens. Retry in 1 s.',
    }),
  )
  expect(lines).toHaveLength(1)
  wait(60)
  ask(actor('ada'), 500)
  expect(lines).toHaveLength(2)
})

test('the local admin, the system and anonymous requests are not counted', () => {
  const { ask } = createWorld()
  expect(ask({ kind: 'user', name: 'local-admin', roles: ['admin'] }, 50)).toBe(50)
  expect(ask({ kind: 'system' }, 50)).toBe(50)
  expect(ask({ kind: 'anonymous' }, 50)).toBe(50)
})
