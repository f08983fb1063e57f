import { environmentManager, MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { chooseScopeOptions, signOutOptions } from './session'

// React Query polls in a browser alone.
beforeEach(() => {
  environmentManager.setIsServer(() => false)
  vi.useFakeTimers()
})
afterEach(() => {
  environmentManager.setIsServer(() => true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const poll = (client: QueryClient) => {
  const requests: AbortSignal[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['findings'],
    queryFn: async ({ signal }) => {
      requests.push(signal)
      // The third answer does not arrive, so that a request is pending.
      if (requests.length === 3) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return requests.length
    },
    refetchInterval: 1000,
    retry: false,
  })
  observer.subscribe(() => undefined)
  return requests
}

it.each([
  [
    'another scope is chosen',
    (client: QueryClient) => new MutationObserver(client, chooseScopeOptions()).mutate({ kind: 'system' }),
  ],
  ['one signs out', (client: QueryClient) => new MutationObserver(client, signOutOptions()).mutate()],
])('the page that is left asks nothing once %s, and continues if that fails', async (_what, leave) => {
  const client = new QueryClient()
  const requests = poll(client)
  await vi.advanceTimersByTimeAsync(2500)
  expect(requests).toHaveLength(3)

  let refuse = (_error: Error): void => undefined
  vi.stubGlobal('fetch', () => new Promise((_resolve, reject) => (refuse = reject)))
  const failure = expect(leave(client)).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requests).toHaveLength(3)
  expect(requests[2]?.aborted).toBe(true)

  refuse(new Error('Keystone does not answer'))
  await failure
  await vi.advanceTimersByTimeAsync(2500)
  expect(requests.length).toBeGreaterThan(3)
  client.clear()
})
