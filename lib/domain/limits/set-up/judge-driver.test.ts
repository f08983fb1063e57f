import { expect, it } from 'vitest'
import type { EffectiveLimit } from '../effective-limit'
import { judgeDriver } from './judge-driver'

const number = (value: number, origin: 'own' | 'default' | 'missing' = 'default'): EffectiveLimit => ({
  kind: 'number',
  value,
  origin,
})
const quotas = { instances: 10, cores: 20, memoryMib: 51_200 }
const answers = (limits: EffectiveLimit[]) => [{ projectName: 'cfd-lab', quotas, limits }]

it('another answer than Keystone’s is the legacy driver', () => {
  expect(judgeDriver(answers([number(10), number(40), number(51_200)]))).toEqual({
    driver: 'legacy',
    reported:
      'Nova answers 20 for cores of cfd-lab; with unified limits it would answer 40, the limit of class:VCPU in Keystone',
  })
})

it('an answer where nothing is registered is the legacy driver', () => {
  const verdict = judgeDriver(answers([number(0, 'missing'), number(20), number(51_200)]))
  expect(verdict.driver).toBe('legacy')
  expect(verdict.reported).toContain(
    'Nova answers 10 for instances of cfd-lab; with unified limits it would answer 0, because servers is not registered in its region',
  )
})

it('no limit where nothing is registered would still be answered with 0', () => {
  const none: EffectiveLimit = { kind: 'unlimited', origin: 'missing' }
  expect(judgeDriver(answers([number(10), none, number(51_200)])).driver).toBe('legacy')
})

it('0 where nothing is registered is the unified driver', () => {
  const zero = { instances: 10, cores: 0, memoryMib: 51_200 }
  const verdict = judgeDriver([
    { projectName: 'a', quotas: zero, limits: [number(10), number(0, 'missing'), number(51_200)] },
  ])
  expect(verdict.driver).toBe('unified')
})

it('equal numbers prove nothing, and no answer neither', () => {
  expect(judgeDriver(answers([number(10), number(20), number(51_200)]))).toEqual({
    driver: null,
    reported: expect.stringContaining('Nova’s answers for 1 project equal Keystone’s limits'),
  })
  expect(judgeDriver([]).driver).toBeNull()
})
