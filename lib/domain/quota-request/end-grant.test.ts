import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endGrant, type Grant } from './end-grant'

describe('a grant whose end date comes', () => {
  const grant: Grant = { id: 1, value: 9, before: 4 }

  it('goes back while the limit is what was granted', () => {
    expect(endGrant(grant, { now: 9, others: [] })).toEqual({ kind: 'take-back', to: 4 })
    expect(endGrant({ ...grant, before: null }, { now: 9, others: [] })).toEqual({
      kind: 'take-back',
      to: null,
    })
  })

  it('is skipped when another limit was written', () => {
    expect(endGrant(grant, { now: 12, others: [] })).toEqual({ kind: 'leave' })
    expect(endGrant(grant, { now: null, others: [] })).toEqual({ kind: 'leave' })
  })

  it('is over when the limit is back already', () => {
    expect(endGrant(grant, { now: 4, others: [] })).toEqual({ kind: 'there' })
  })

  it('comes back to the first limit once all have ended, in any order', () => {
    const rises = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })
    const order = fc.array(fc.nat(), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(rises, order, (steps, ranks) => {
        let limit = 4
        const grants = steps.map((step, id): Grant => {
          const before = limit
          limit += step
          return { id, value: limit, before }
        })
        let now: number | null = limit
        const left = new Map(grants.map((each) => [each.id, each]))
        const ids = [...left.keys()].toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
        for (const id of ids) {
          const ending = left.get(id)
          if (ending === undefined) continue
          left.delete(id)
          const end = endGrant(ending, { now, others: [...left.values()] })
          if (end.kind === 'take-back') now = end.to
          const heir = end.kind === 'hand-on' ? left.get(end.heir) : undefined
          if (heir !== undefined && end.kind === 'hand-on') left.set(heir.id, { ...heir, before: end.to })
        }
        expect(now).toBe(4)
      }),
    )
  })
})
