import { hydrate } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { cloudListOptions } from './clouds'
import { freshnessOptions } from './freshness'
import { overviewOptions } from './overview'
import { prefetch, prefetchState } from './prefetch'
import { createQueryClient } from './query-client'

const scope = { cloud: 'paris' }

test('prefetched data is in the browser before its first request, as one text', async () => {
  const state = await prefetchState([prefetch(overviewOptions(scope), async () => ({ cloud: 'paris' }))])
  expect(state.queries.map((query) => query.state.data)).toEqual(['{"cloud":"paris"}'])
  const browser = createQueryClient()
  hydrate(browser, JSON.parse(JSON.stringify(state)))
  expect(browser.getQueryData(overviewOptions(scope).queryKey)).toEqual({ cloud: 'paris' })
})

test('a failed answer and one that is left to the browser do not take the others with them', async () => {
  const state = await prefetchState([
    prefetch(overviewOptions(scope), () => Promise.reject(new Error('database away'))),
    prefetch(cloudListOptions(), async () => undefined),
    prefetch(freshnessOptions(scope), async () => ({ hostCount: 3 })),
  ])
  expect(state.queries.map((query) => query.queryKey)).toEqual([freshnessOptions(scope).queryKey])
})
