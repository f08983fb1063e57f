import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnection } from './connection'
import { watchConnection } from './watch-connection'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const OK = () => Promise.resolve(new Response('{}'))
const GONE = () => Promise.reject(new TypeError('Failed to fetch'))

const open = (check: () => Promise<Response>, isVisible = true) => {
  const seen = { checks: 0, answer: check }
  const connection = createConnection()
  const end = watchConnection(connection, {
    check: () => {
      seen.checks += 1
      return seen.answer()
    },
    isVisible: () => isVisible,
  })
  return { seen, connection, end }
}

test('without any answer it is lost within 5 s, and restored automatically', async () => {
  const { seen, connection, end } = open(GONE)
  await vi.advanceTimersByTimeAsync(3000)
  expect([connection.isLost(), seen.checks]).toEqual([false, 0])
  await vi.advanceTimersByTimeAsync(2000)
  expect(connection.isLost()).toBe(true)
  seen.answer = OK
  await vi.advanceTimersByTimeAsync(1000)
  expect(connection.isLost()).toBe(false)
  end()
})

test('while other requests are answered nothing is checked, and on a hidden page neither', async () => {
  for (const [isVisible, hasAnswers] of [
    [true, true],
    [false, false],
  ] as const) {
    const { seen, connection, end } = open(GONE, isVisible)
    for (let count = 0; count < 10; count++) {
      await vi.advanceTimersByTimeAsync(3000)
      if (hasAnswers) connection.noteAnswer(new Response('{}'))
    }
    expect([connection.isLost(), seen.checks]).toEqual([false, 0])
    end()
  }
})

test('when the browser reports that it is offline, that is checked at once', async () => {
  const { seen, connection, end } = open(OK)
  window.dispatchEvent(new Event('offline'))
  await vi.advanceTimersByTimeAsync(0)
  // A console on the same machine still answers.
  expect([connection.isLost(), seen.checks]).toEqual([false, 1])
  seen.answer = GONE
  window.dispatchEvent(new Event('offline'))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.isLost()).toBe(true)
  end()
})

test("a proxy's error is no answer, and an error of the console is one", async () => {
  const { connection, end } = open(() => Promise.resolve(new Response('Bad gateway', { status: 502 })))
  connection.onFailure()
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.isLost()).toBe(true)
  connection.noteAnswer(new Response('Bad gateway', { status: 502 }))
  expect(connection.isLost()).toBe(true)
  connection.noteAnswer(new Response('{}', { status: 503, headers: { 'x-request-id': 'r-1' } }))
  expect(connection.isLost()).toBe(false)
  end()
})

test('listeners are called once per change', async () => {
  const { connection, end } = open(GONE)
  const states: boolean[] = []
  const stop = connection.subscribe(() => states.push(connection.isLost()))
  for (let count = 0; count < 2; count++) {
    connection.onFailure()
    await vi.advanceTimersByTimeAsync(0)
  }
  connection.noteAnswer(new Response('{}'))
  stop()
  connection.noteLost()
  expect(states).toEqual([true, false])
  end()
})
