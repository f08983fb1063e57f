import { expect, test } from 'vitest'
import { subjectText } from '@/lib/domain/finding-list/finding-labels'
import type { FindingSubject } from '@/lib/schemas/api/finding'
import { asSentence, findingSentence } from './finding-labels'
import { severityCounts } from './severity-counts'

const limit = { kind: 'limit', resourceName: 'class:VGPU', regionId: null, projectId: null } as const

test.each<[FindingSubject, string]>([
  [{ kind: 'cloud' }, 'the cloud'],
  [{ kind: 'pgpu', host: 'cmp-1', address: '0000:18:00.0' }, 'cmp-1 0000:18:00.0'],
  [{ kind: 'server', uuid: 'u', name: 'render-1', host: null }, 'server render-1'],
  [{ kind: 'server', uuid: 'u', name: 'render-1', host: 'cmp-1' }, 'server render-1 on cmp-1'],
  [limit, 'limit of VGPU without region'],
  [{ ...limit, regionId: 'RegionOne', projectId: 'p1' }, 'limit of VGPU in RegionOne of project p1'],
  [{ kind: 'flavor', id: 'f', name: 'vgpu.t4' }, 'flavor vgpu.t4'],
])('%j reads "%s"', (subject, text) => {
  expect(subjectText(subject)).toBe(text)
})

test('severities are counted in words, and none is left out', () => {
  expect(severityCounts({ error: 2, warning: 0, info: 1 })).toBe('2 errors, 1 note')
  expect(severityCounts({ error: 0, warning: 0, info: 0 })).toBe('')
})

test('a sentence begins large unless it begins with a name', () => {
  expect(asSentence('it carries two types')).toBe('It carries two types')
  expect(asSentence('nova.conf uses old names')).toBe('nova.conf uses old names')
  expect(asSentence('cryo-em-2 names an mdev')).toBe('cryo-em-2 names an mdev')
  expect(asSentence('3 orphans')).toBe('3 orphans')
  const subject = { kind: 'flavor', id: 'f', name: 'desktop' } as const
  expect(findingSentence({ sentence: 'desktop reaches two types', subject })).toBe(
    'desktop reaches two types',
  )
  expect(findingSentence({ sentence: 'two servers of desktop fail', subject })).toBe(
    'Two servers of desktop fail',
  )
})
