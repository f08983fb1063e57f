import { beforeEach, expect, test, vi } from 'vitest'
import { SIGN_IN_ALLOWANCES } from '@/lib/server/session/sign-in-guard'
import { signInWithPassword } from './sign-in'
import { createSignInWorld, signInBody } from './testing/sign-in-world'

vi.setConfig({ testTimeout: 60_000 })

const world = createSignInWorld()

let delays: number[]
beforeEach(() => {
  world.wait(2 * 86_400)
  delays = []
})

const sleep = (ms: number) => {
  delays.push(ms)
  return Promise.resolve()
}

type Outcome = 'in' | 'wrong' | 'refused'

const attempt = async (
  address: string,
  password: string,
  account: 'tenant' | 'otherTenant' = 'tenant',
): Promise<Outcome> => {
  const body = signInBody(account, { password })
  try {
    await signInWithPassword(world.anonymous(), { body, facts: world.facts({ address }), sleep })
    return 'in'
  } catch (error) {
    const { code } = error as { code: string }
    if (code === 'limit') return 'refused'
    if (code === 'unauthorized') return 'wrong'
    // The simulated Keystone closed an idle connection at that moment; the attempt was given back.
    if (code === 'upstream') return attempt(address, password, account)
    throw error
  }
}

const RIGHT = signInBody('tenant').password
const KNOWN = '192.0.2.10'

/** Addresses of as many networks as there are. */
const attackers = (count: number) => Array.from({ length: count }, (_, n) => `198.18.${n}.${(n * 7) % 250}`)

test('a distributed attack gets 60 guesses an hour, and neither the known nor a new address of the user is refused', async () => {
  expect(await attempt(KNOWN, RIGHT)).toBe('in')
  const addresses = attackers(60)
  let guesses = 0
  for (let minute = 0; minute < 120; minute += 5) {
    const outcomes = await Promise.all(addresses.map((address) => attempt(address, `guess-${minute}`)))
    guesses += outcomes.filter((outcome) => outcome === 'wrong').length
    expect(outcomes).not.toContain('in')
    if (minute % 15 === 5) {
      delays = []
      expect(await attempt(KNOWN, RIGHT)).toBe('in')
      expect(delays).toEqual([])
    }
    if (minute % 20 === 10) {
      delays = []
      expect(await attempt(`203.0.113.${minute}`, RIGHT)).toBe('in')
      expect(Math.max(0, ...delays)).toBeLessThanOrEqual(10_000)
    }
    if (minute === 55) expect(guesses).toBeLessThanOrEqual(60)
    world.wait(300)
  }
  expect(guesses).toBeLessThanOrEqual(120)
})

test('one wrong password every half second from one address does not lock the account out', async () => {
  expect(await attempt(KNOWN, RIGHT)).toBe('in')
  for (let second = 0; second < 120; second += 1) {
    await attempt('198.18.0.1', 'wrong')
    await attempt('198.18.0.1', 'wrong')
    world.wait(1)
  }
  expect(await attempt(KNOWN, RIGHT)).toBe('in')
  expect(await attempt('203.0.113.200', RIGHT)).toBe('in')
  expect(delays.every((ms) => ms <= 10_000)).toBe(true)
})

test('a user who mistypes the password at a new address during an attack gets in with the second try', async () => {
  for (const address of attackers(25)) await attempt(address, 'wrong')
  delays = []
  expect(await attempt('203.0.113.77', 'mistyped')).toBe('wrong')
  expect(await attempt('203.0.113.77', RIGHT)).toBe('in')
  expect(delays).toEqual([8000, 8000])
})

test('a known address is limited by its own failures', async () => {
  expect(await attempt(KNOWN, RIGHT)).toBe('in')
  for (let one = 0; one < SIGN_IN_ALLOWANCES.pair.burst; one += 1)
    expect(await attempt(KNOWN, 'wrong')).toBe('wrong')
  expect(await attempt(KNOWN, RIGHT)).toBe('refused')
  world.wait(SIGN_IN_ALLOWANCES.pair.pauseSeconds)
  expect(await attempt(KNOWN, RIGHT)).toBe('in')
})

test('others behind the same address who guess other accounts do not limit the one that has signed in from it', async () => {
  const shared = '192.0.2.99'
  expect(await attempt(shared, RIGHT)).toBe('in')
  for (let one = 0; one < SIGN_IN_ALLOWANCES.address.burst; one += 1) {
    const body = signInBody('otherTenant', { name: `somebody-${one}` })
    await signInWithPassword(world.anonymous(), {
      body,
      facts: world.facts({ address: shared }),
      sleep,
    }).catch(() => undefined)
  }
  expect(await attempt(shared, 'wrong', 'otherTenant')).toBe('refused')
  expect(await attempt(shared, RIGHT)).toBe('in')
})

test('addresses of one IPv6 network are one client, known or not', async () => {
  expect(await attempt('2001:db8:7:1::10', RIGHT)).toBe('in')
  for (const address of attackers(20)) await attempt(address, 'wrong')
  delays = []
  expect(await attempt('2001:db8:7:1:a:b:c:d', RIGHT)).toBe('in')
  expect(delays).toEqual([])
  // An attacker who owns a /48 does not have 2¹⁶ first tries.
  const outcomes = []
  for (let one = 0; one < 6; one += 1) outcomes.push(await attempt(`2001:db8:66:${one}::1`, 'wrong'))
  expect(outcomes).toEqual(['wrong', 'wrong', 'refused', 'refused', 'refused', 'refused'])
})

test('an address that was not used for half a year is new again, and at most 50 are stored of an account', async () => {
  for (let one = 0; one < 60; one += 1) {
    expect(await attempt(`192.0.2.${100 + one}`, RIGHT)).toBe('in')
    world.wait(1)
  }
  const count = async () => (await world.database().query('SELECT 1 FROM sign_in_address')).length
  expect(await count()).toBe(50)
  world.wait(181 * 86_400)
  expect(await attempt('192.0.2.159', RIGHT)).toBe('in')
  expect(await count()).toBe(1)
})

test('who tries parallel requests gets no more guesses', async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => attempt('198.18.200.1', 'wrong')))
  expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(SIGN_IN_ALLOWANCES.pair.burst)
})
