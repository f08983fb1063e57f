import { expect, test } from 'vitest'
import { firstOfGroups, groupFindings } from './group-findings'

const findingOf = (id: number, code: string, severity: 'error' | 'warning' | 'info') => ({
  id,
  code,
  severity,
  title: `Title of ${code}`,
})

const FINDINGS = [
  findingOf(1, 'old-option-names', 'info'),
  findingOf(2, 'orphan-mdevs', 'warning'),
  findingOf(3, 'trait-lost', 'warning'),
  findingOf(4, 'trait-lost', 'warning'),
  findingOf(5, 'vgpus-stranded', 'info'),
  findingOf(6, 'vgpus-stranded', 'error'),
]

test('groups are sorted by their most urgent finding, then by size, and keep the order within', () => {
  const groups = groupFindings(FINDINGS)
  expect(
    groups.map(({ code, severity, findings }) => [code, severity, findings.map(({ id }) => id)]),
  ).toEqual([
    ['vgpus-stranded', 'error', [5, 6]],
    ['trait-lost', 'warning', [3, 4]],
    ['orphan-mdevs', 'warning', [2]],
    ['old-option-names', 'info', [1]],
  ])
  expect(groups[0]?.title).toBe('Title of vgpus-stranded')
})

test('every group is listed with equally many rows, as many as fit', () => {
  const groups = groupFindings([
    ...FINDINGS,
    ...Array.from({ length: 100 }, (_, at) => findingOf(10 + at, 'orphan-mdevs', 'warning')),
  ])
  const firsts = (limit: number): number[] => firstOfGroups(groups, limit).map(({ id }) => id)
  expect(firsts(1000)).toHaveLength(106)
  expect(firsts(8)).toEqual([5, 6, 2, 10, 11, 3, 4, 1])
  expect(firsts(2)).toEqual([5, 2, 3, 1])
  expect(firstOfGroups([], 10)).toEqual([])
})
