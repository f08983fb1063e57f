import { describe, expect, it } from 'vitest'
import { limitProblem, planOfTexts } from './new-limits-page'

const own = { resourceName: 'class:VGPU', projectId: 'p1' }
const standard = { resourceName: 'class:VGPU', projectId: null }

describe('limitProblem', () => {
  it.each(['0', '12', '-1', ' 7 ', '2147483647'])('%j is a limit', (text) => {
    expect(limitProblem(text, own)).toBeUndefined()
  })

  it.each(['-2', '1.5', 'many', '2147483648', '1e3'])('%j is none', (text) => {
    expect(limitProblem(text, own)).toContain('whole number')
  })

  it('nothing takes an own limit away, and is no default', () => {
    expect(limitProblem('', own)).toBeUndefined()
    expect(limitProblem('', standard)).toBe('Enter a number for the default.')
  })
})

it('texts become a plan in the order of their keys', () => {
  expect(planOfTexts('paris', [own, standard], ['', '4']).limits).toEqual([
    { ...own, value: null },
    { ...standard, value: 4 },
  ])
})
