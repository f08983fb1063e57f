import { describe, expect, test } from 'vitest'
import { isAllowedHost } from './allowed-host'

const URL = 'https://console.example:8443'

describe('with sign-in', () => {
  test.each([
    'console.example',
    'console.example:8443',
    'CONSOLE.example:1',
    'localhost:3000',
    '10.0.0.7:3000',
    '[2001:db8::7]:3000',
    '[2001:db8::7]',
  ])('the Host %s is ours', (host) => {
    expect(isAllowedHost(host, URL)).toBe(true)
  })

  test.each([
    'evil.example',
    'evilconsole.example',
    'evil.console.example',
    'console.example.evil.example',
    'console.example@evil.example',
    'console.example:8443:1',
    '10.0.0.7.nip.io',
    '',
    undefined,
  ])('the Host %s is not', (host) => {
    expect(isAllowedHost(host, URL)).toBe(false)
  })
})

test.each(['console.example', '10.0.0.7', '[2001:db8::7]', '127.0.0.2'])(
  'without sign-in the Host %s is not ours',
  (host) => {
    expect(isAllowedHost(host, null)).toBe(false)
  },
)
