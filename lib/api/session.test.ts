import type { QueryClient as Client } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** React Query polls in a browser alone, and decides that when it is loaded. */
const load = async () => {
  vi.stubGlobal('window', new EventTarget())
  const query = await import('@tanstack/react-query')
  return { ...query, ...(await import('./session')) }
}

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const poll = (client: Client, { QueryObserver }: Awaited<ReturnType<typeof load>>) => {
  const asked: AbortSignal[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['findings'],
    queryFn: async ({ signal }) => {
      asked.push(signal)
      // The third answer stays away, so that something is in hand.
      if (asked.length === 3) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return asked.length
    },
    refetchInterval: 1000,
    retry: false,
  })
  observer.subscribe(() => undefined)
  return asked
}

it('the page that is left asks nothing once another scope is chosen, and goes on if that fails', async () => {
  const loaded = await load()
  const { QueryClient, MutationObserver, chooseScopeOptions } = loaded
  const client = new QueryClient()
  const asked = poll(client, loaded)
  await vi.advanceTimersByTimeAsync(2500)
  expect(asked).toHaveLength(3)

  let refuse = (_error: Error): void => undefined
  vi.stubGlobal('fetch', () => new Promise((_resolve, reject) => (refuse = reject)))
  const choosing = new MutationObserver(client, chooseScopeOptions()).mutate({ kind: 'system' })
  const failure = expect(choosing).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toHaveLength(3)
  expect(asked[2]?.aborted).toBe(true)

  refuse(new Error('Keystone does not answer'))
  await failure
  await vi.advanceTimersByTimeAsync(2500)
  expect(asked.length).toBeGreaterThan(3)
  client.clear()
})
