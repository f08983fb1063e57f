import { expect, test } from 'vitest'
import type { FindingSubject } from '@/lib/schemas/api/finding'
import { severityCounts, subjectText } from './finding-words'

const limit = { kind: 'limit', resourceName: 'class:VGPU', regionId: null, projectId: null } as const

test.each<[FindingSubject, string]>([
  [{ kind: 'cloud' }, 'the cloud'],
  [{ kind: 'pgpu', host: 'cmp-1', address: '0000:18:00.0' }, 'cmp-1 0000:18:00.0'],
  [{ kind: 'server', uuid: 'u', name: 'render-1', host: null }, 'server render-1'],
  [{ kind: 'server', uuid: 'u', name: 'render-1', host: 'cmp-1' }, 'server render-1 on cmp-1'],
  [limit, 'limit class:VGPU without region'],
  [{ ...limit, regionId: 'RegionOne', projectId: 'p1' }, 'limit class:VGPU in RegionOne of project p1'],
  [{ kind: 'flavor', id: 'f', name: 'vgpu.t4' }, 'flavor vgpu.t4'],
])('%j reads "%s"', (subject, text) => {
  expect(subjectText(subject)).toBe(text)
})

test('severities are counted in words, and none is left out', () => {
  expect(severityCounts([{ severity: 'info' }, { severity: 'error' }, { severity: 'error' }])).toBe(
    '2 errors, 1 note',
  )
  expect(severityCounts([])).toBe('')
})
