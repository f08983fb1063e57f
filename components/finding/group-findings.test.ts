import { expect, test } from 'vitest'
import { groupFindings } from './group-findings'
import { buildFinding } from './testing/build-finding'

test('groups stand by their most urgent finding, then by size, and keep the order within', () => {
  const groups = groupFindings([
    buildFinding({ id: 1, code: 'old-option-names', severity: 'info' }),
    buildFinding({ id: 2, code: 'orphan-mdevs', severity: 'warning' }),
    buildFinding({ id: 3, code: 'trait-lost', severity: 'warning' }),
    buildFinding({ id: 4, code: 'trait-lost', severity: 'warning' }),
    buildFinding({ id: 5, code: 'vgpus-stranded', severity: 'info' }),
    buildFinding({ id: 6, code: 'vgpus-stranded', severity: 'error' }),
  ])
  expect(
    groups.map(({ code, severity, findings }) => [code, severity, findings.map(({ id }) => id)]),
  ).toEqual([
    ['vgpus-stranded', 'error', [5, 6]],
    ['trait-lost', 'warning', [3, 4]],
    ['orphan-mdevs', 'warning', [2]],
    ['old-option-names', 'info', [1]],
  ])
})

test('a group has the title of its code, and a code that is not known stands for itself', () => {
  const [known, newer] = groupFindings([
    buildFinding({ code: 'orphan-mdevs' }),
    buildFinding({ code: 'of-a-newer-console', severity: 'info' }),
  ])
  expect(known?.title).toBe('Orphan mdevs hold pGPUs')
  expect(newer?.title).toBe('of a newer console')
})
