import { expect, test } from 'vitest'
import { conditionalJson, isKnownToClient, versionedJson } from './conditional'

const asking = (ifNoneMatch: string | null) =>
  new Request('http://localhost/api/v1/hosts', {
    headers: ifNoneMatch === null ? {} : { 'if-none-match': ifNoneMatch },
  })

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['W/"b", W/"a"', true],
  ['*', true],
  ['W/"b"', false],
  ['a', false],
  [null, false],
])('If-None-Match %s against W/"a" is known: %s', (header, known) => {
  expect(isKnownToClient(header, 'W/"a"')).toBe(known)
})

test('an answer that the client holds is 304 without a body, a changed one comes whole', async () => {
  const first = conditionalJson(asking(null), { hosts: [1] })
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(await first.json()).toEqual({ hosts: [1] })
  const etag = first.headers.get('etag')
  const again = conditionalJson(asking(etag), { hosts: [1] })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect(conditionalJson(asking(etag), { hosts: [2] }).status).toBe(200)
})

test('content with a version is known by it', async () => {
  const first = versionedJson(asking(null), { version: 'a' })
  expect(first.headers.get('etag')).toBe('W/"a"')
  expect(await first.json()).toEqual({ version: 'a' })
  expect(versionedJson(asking('W/"a"'), { version: 'a' }).status).toBe(304)
  expect(versionedJson(asking('W/"a"'), { version: 'b' }).status).toBe(200)
})
