import { expect, test } from 'vitest'
import { csvText } from '@/lib/util/encode/csv'
import { attachment } from './attachment'
import { conditionalJson, versionedJson } from './conditional'
import { jsonWithCookies, redirectWithCookies } from './json-with-cookies'

const request = (headers: Record<string, string> = {}) => new Request('http://console.example/', { headers })

test.each([
  ['a file', () => attachment({ name: 'gpus.csv', text: csvText([['a', 'b']]) })],
  ['JSON by its content', () => conditionalJson(request(), { a: 1 })],
  ['JSON by its version', () => versionedJson(request(), { version: 'v1' })],
  ['JSON that is known', () => versionedJson(request({ 'if-none-match': 'W/"v1"' }), { version: 'v1' })],
  ['an answer that sets a cookie', () => jsonWithCookies({ isScoped: true }, ['a=b'], 201)],
  ['an answer that takes a cookie away', () => jsonWithCookies(null, ['a='])],
  ['a redirect that sets a cookie', () => redirectWithCookies('/hosts', ['a=b'])],
] as const)('%s is kept by no one', (_what, answer) => {
  expect(answer().headers.get('cache-control')).toBe('no-store')
})
