import { expect, test } from 'vitest'
import { accessText } from './access-labels'

const projects = (...names: string[]) => names.map((name) => ({ id: name, name }))

test('unknown projects are not no projects', () => {
  expect(accessText({ isPublic: true, projects: null })).toBe('every project')
  expect(accessText({ isPublic: false, projects: null })).toBe('selected projects, not read yet')
  expect(accessText({ isPublic: false, projects: [] })).toBe('no project')
  expect(accessText({ isPublic: false, projects: projects('cfd', 'ml') })).toBe('cfd, ml')
  expect(accessText({ isPublic: false, projects: projects('a', 'b', 'c') })).toBe('3 projects')
})
