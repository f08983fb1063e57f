import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { gpuListOptions } from './gpus'
import { createApiServer, sendJson } from './testing/api-server'
import { gpuColumns } from './testing/gpu-columns'
import { stubStoreWorker } from './testing/store-worker'

const server = createApiServer()
stubStoreWorker()
const options = gpuListOptions({ cloud: 'paris' })
const fresh = { ...options, staleTime: 0 }

test('an unchanged fleet is requested by its version and stays the same object', async () => {
  const requested: (string | undefined)[] = []
  server.answerWith((req, res) => {
    requested.push(req.headers['if-none-match'])
    if (req.headers['if-none-match'] === 'W/"v1"') res.writeHead(304).end()
    else sendJson(res, gpuColumns([1, 2], 'v1'))
  })
  const client = new QueryClient()
  const first = await client.fetchQuery(fresh)
  expect(await client.fetchQuery(fresh)).toBe(first)
  expect(requested).toEqual([undefined, 'W/"v1"'])
})

test('a changed fleet replaces it', async () => {
  const client = new QueryClient()
  server.answerWith((_req, res) => sendJson(res, gpuColumns([1])))
  await client.fetchQuery(fresh)
  server.answerWith((_req, res) => sendJson(res, gpuColumns([2])))
  expect((await client.fetchQuery(fresh)).columns.used).toEqual(Int32Array.of(2))
})

test('the same version sent again is not a change', async () => {
  const client = new QueryClient()
  server.answerWith((_req, res) => sendJson(res, gpuColumns([1])))
  const first = await client.fetchQuery(fresh)
  await client.fetchQuery(fresh)
  expect(client.getQueryData(options.queryKey)).toBe(first)
})

test('after a failed question the last fleet stays', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  server.answerWith((_req, res) => sendJson(res, gpuColumns([1])))
  const first = await client.fetchQuery(fresh)
  server.answerWith((req) => req.socket.destroy())
  await expect(client.fetchQuery(fresh)).rejects.toMatchObject({ code: 'unreachable' })
  expect(client.getQueryData(options.queryKey)).toBe(first)
})

test('an answer that is not JSON is an error', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  server.answerWith((_req, res) => res.writeHead(200).end('<html>'))
  await expect(client.fetchQuery(fresh)).rejects.toMatchObject({ code: 'unreadable' })
})
