import { expect, test } from 'vitest'
import { checkSameOrigin } from './check-same-origin'

const OWN = 'https://console.example'
const isTaken = (headers: Record<string, string>, url: string | null): boolean => {
  try {
    checkSameOrigin(new Headers(headers), url)
    return true
  } catch {
    return false
  }
}
const host = 'console.example'

test.each([
  [{ host, origin: OWN }, OWN],
  [{ host, origin: OWN, 'sec-fetch-site': 'same-origin' }, OWN],
  // Typed into the address bar, and a script.
  [{ host, 'sec-fetch-site': 'none' }, OWN],
  [{ host }, OWN],
  // By an address that the console's own name is not: over a tunnel of the operator.
  [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, OWN],
  [{ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }, null],
] as [Record<string, string>, string | null][])('a change with %j under %s is taken', (headers, url) => {
  expect(isTaken(headers, url)).toBe(true)
})

test.each([
  // A page over plain HTTP under the console's name may come from anyone on the network path.
  [{ host, origin: 'http://console.example' }, OWN],
  [{ host, origin: 'https://console.example:8443' }, OWN],
  [{ host, origin: 'https://evil.example' }, OWN],
  [{ host, origin: 'https://evil.console.example' }, OWN],
  [{ host, origin: 'null' }, OWN],
  [{ host, origin: OWN, 'sec-fetch-site': 'cross-site' }, OWN],
  [{ host, origin: OWN, 'sec-fetch-site': 'same-site' }, OWN],
  [{ host, 'sec-fetch-site': 'cross-site' }, OWN],
  [{ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3001' }, null],
  [{ host: 'localhost:3000', origin: 'http://127.0.0.1:3000' }, null],
] as [Record<string, string>, string | null][])('a change with %j under %s is refused', (headers, url) => {
  expect(isTaken(headers, url)).toBe(false)
})
