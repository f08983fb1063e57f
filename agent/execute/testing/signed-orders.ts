import { generateKeyPairSync, sign } from 'node:crypto'
import type { CommandOrder, SignedCommand } from '@/lib/schemas/agent/command'

/** A console's key, and orders signed with it. */
export const createSignedOrders = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  let count = 0
  const orderOf = (over: Partial<CommandOrder> = {}): CommandOrder => ({
    version: 1,
    id: `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    host: 'cmp-01',
    step: 'change:1/step:1',
    expiresAt: '2099-01-01T00:00:00.000Z',
    command: { name: 'restart-nova-compute' },
    ...over,
  })
  const signed = (order: unknown): SignedCommand => {
    const text = JSON.stringify(order)
    return { order: text, signature: sign(null, Buffer.from(text), privateKey).toString('base64url') }
  }
  return { key: x, orderOf, signed, order: (over: Partial<CommandOrder> = {}) => signed(orderOf(over)) }
}
