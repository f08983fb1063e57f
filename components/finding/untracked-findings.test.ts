import { expect, test } from 'vitest'
import { untrackedFindings } from './untracked-findings'

const own = (code: string) => ({ code, severity: 'warning', sentence: code, detail: code }) as const

test('a finding that a round has too is not shown twice', () => {
  const left = untrackedFindings([own('orphan-mdevs'), own('returning-mdevs')], [{ code: 'orphan-mdevs' }])
  expect(left.map(({ code }) => code)).toEqual(['returning-mdevs'])
})

test('a finding of the host is left out where Placement reports the same in more detail', () => {
  expect(untrackedFindings([own('sriov-over-promise')], [{ code: 'placement-over-promises' }])).toEqual([])
  expect(untrackedFindings([own('sriov-over-promise')], [{ code: 'trait-lost' }])).toHaveLength(1)
})

test('without a round everything is the host’s own', () => {
  expect(untrackedFindings([own('orphan-mdevs')], [])).toHaveLength(1)
})
