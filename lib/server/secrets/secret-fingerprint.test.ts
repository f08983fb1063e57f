import { expect, test } from 'vitest'
import { createFingerprint, matchesFingerprint } from './secret-fingerprint'

const SECRET = 'a secret of at least thirty-two characters'

test('a fingerprint belongs to its secret alone and does not repeat itself', async () => {
  const first = await createFingerprint(SECRET)
  expect(await matchesFingerprint(SECRET, first)).toBe(true)
  expect(await matchesFingerprint(`${SECRET}.`, first)).toBe(false)
  expect(await createFingerprint(SECRET)).not.toBe(first)
  expect(first).not.toContain(SECRET)
})

test.each(['', 'scrypt', 'scrypt..', 'scrypt.AAAA.AAAA', 'sha256.AAAA.AAAA'])(
  'a damaged fingerprint (%j) belongs to no secret',
  async (fingerprint) => {
    expect(await matchesFingerprint(SECRET, fingerprint)).toBe(false)
  },
)
