import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCpuSet, isCpuSet, parseCpuSet } from './cpu-set'

describe('a list of CPUs', () => {
  test('has ranges, single CPUs and exclusions, at any position', () => {
    expect([...parseCpuSet('0-3, 8,^2')]).toEqual([0, 1, 3, 8])
    expect([...parseCpuSet('^8,6-9')]).toEqual([6, 7, 9])
    expect(parseCpuSet('').size).toBe(0)
  })

  test('is refused when a part is none, a range runs backwards, or nothing is left', () => {
    expect(isCpuSet('0-22')).toBe(true)
    expect(isCpuSet('0-22,x')).toBe(false)
    expect(isCpuSet('5-2')).toBe(false)
    expect(isCpuSet('3,^3')).toBe(false)
    expect(isCpuSet('')).toBe(false)
  })

  test('is written so that it reads the same again', () => {
    expect(formatCpuSet([8, 0, 1, 2, 3])).toBe('0-3,8')
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 300 })), (cpus) => {
        expect([...parseCpuSet(formatCpuSet(cpus))].toSorted((a, b) => a - b)).toEqual(
          cpus.toSorted((a, b) => a - b),
        )
      }),
    )
  })

  test('is read immediately, with any number of wide ranges', () => {
    const text = Array.from({ length: 1500 }, () => '0-9999').join(',')
    for (let node = 0; node < 128; node += 1) expect(parseCpuSet(`${text},^5`).size).toBe(9999)
  })
})
