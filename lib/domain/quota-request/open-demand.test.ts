import { expect, it } from 'vitest'
import type { EffectiveLimit } from '@/lib/domain/limits/effective-limit'
import { openDemand } from './open-demand'
import { whyNotMore } from './requested-limit'

const limit = (value: number): EffectiveLimit => ({ kind: 'number', value, origin: 'own' })
const unknown: EffectiveLimit = { kind: 'unknown', because: 'not read', origin: 'default' }

it('of several requests of a project the highest counts, above what it may use now', () => {
  const requested = [
    { projectId: 'a', value: 6 },
    { projectId: 'a', value: 9 },
    { projectId: 'b', value: 3 },
  ]
  expect(openDemand(requested, (id) => limit(id === 'a' ? 4 : -1))).toBe(8)
  expect(openDemand(requested, () => unknown)).toBeNull()
  expect(openDemand(requested, () => ({ kind: 'unlimited', origin: 'own' }))).toBe(0)
})

it('a request for no more than now is refused', () => {
  expect(whyNotMore(limit(4), 4)).toBe('the limit is already 4')
  expect(whyNotMore(limit(4), 5)).toBeNull()
  expect(whyNotMore({ kind: 'unlimited', origin: 'own' }, 5)).toBe('the resource has no limit')
  expect(whyNotMore(unknown, 5)).toBeNull()
})
