import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CommandOrder } from '@/lib/schemas/agent/command'
import type { Database } from '@/lib/server/database/database'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { createCommandSigner } from './command-signer'
import { listLostKeys, replaceKey, resealKeys } from './signing-keys'

const OLD = 'old secret of at least thirty-two characters'
const NEW = 'new secret of at least thirty-two characters'
const now = () => new Date('2026-11-26T12:00:00Z')

let database: Database
let cloudId: number
beforeAll(async () => {
  database = await createTestDatabase()
  cloudId = await addCloud(database, 'paris')
})
beforeEach(() => database.prisma.commandKey.deleteMany())
afterAll(() => database.close())

const signerWith = (...secrets: [string, ...string[]]) =>
  createCommandSigner({ database, box: createSecretBox(secrets), now })

const order: CommandOrder = {
  version: 1,
  id: 'cccccccc-0000-4000-8000-000000000000',
  host: 'cmp-1',
  step: 'change:1/step:1',
  expiresAt: '2026-11-26T12:10:00Z',
  command: { name: 'restart-nova-compute' },
}

const actions = async () =>
  (await database.query('SELECT action FROM audit_entry ORDER BY id', [], anyRow<{ action: string }>())).map(
    ({ action }) => action,
  )

test('a console with another secret gets an error and leaves the key as it is', async () => {
  const key = await signerWith(OLD).publicKeyOf(cloudId)
  await expect(signerWith(NEW).publicKeyOf(cloudId)).rejects.toThrow(/cannot be decrypted.*key:replace/)
  expect(await signerWith(OLD).publicKeyOf(cloudId)).toBe(key)
  expect(await actions()).not.toContain('command-key.replace')
})

test('consoles that create the first key at once agree on one', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => signerWith(OLD).publicKeyOf(cloudId)))
  expect(new Set(keys).size).toBe(1)
})

test('after a rotation the same key is encrypted with the new secret', async () => {
  const key = await signerWith(OLD).publicKeyOf(cloudId)
  await resealKeys({ database, box: createSecretBox([NEW, OLD]) })
  expect(await signerWith(NEW).publicKeyOf(cloudId)).toBe(key)
  await expect(signerWith(OLD).publicKeyOf(cloudId)).rejects.toThrow(/cannot be decrypted/)
  expect(await listLostKeys({ database, box: createSecretBox([OLD]) })).toMatchObject([{ cloud: 'paris' }])
})

test('an explicit replacement is audited and used by consoles that run', async () => {
  const signer = signerWith(OLD)
  const before = await signer.publicKeyOf(cloudId)
  await replaceKey({ database, box: createSecretBox([OLD]), now }, cloudId)
  const after = await signer.publicKeyOf(cloudId)
  expect(after).not.toBe(before)
  expect((await actions()).at(-1)).toBe('command-key.replace')
  const signed = await signer.sign(cloudId, order)
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: after }, format: 'jwk' })
  const signature = Buffer.from(signed.signature, 'base64url')
  expect(verify(null, Buffer.from(signed.order), publicKey, signature)).toBe(true)
})
