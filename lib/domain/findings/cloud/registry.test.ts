import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sentences } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud, healthyPlans } from '@/lib/domain/testing/healthy-cloud'

describe('a healthy cloud', { timeout: 120_000 }, () => {
  it('has no finding', () => {
    fc.assert(
      fc.property(healthyPlans, (plans) => {
        expect(sentences(buildHealthyCloud(plans))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
