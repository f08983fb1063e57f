import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ScopeChoice } from '@/lib/schemas/api/session'
import { ScopePicker } from './choose-scope-step'

const scopesOf = (count: number): ScopeChoice[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'project',
    id: `p${index}`,
    name: `project-${index}`,
    domain: 'Default',
    role: 'tenant',
  }))
const htmlOf = (count: number, last: string | null = null): string =>
  renderToStaticMarkup(
    <ScopePicker
      scopes={scopesOf(count)}
      present={null}
      last={last}
      isBusy={false}
      onChoose={() => undefined}
    />,
  )

test('of 5,000 projects a hundred are shown, with the number of all and a filter', () => {
  const html = htmlOf(5000)
  expect(html.match(/<li/g)).toHaveLength(100)
  expect(html.match(/</g)?.length).toBeLessThan(3000)
  expect(html).toContain('100 of 5000 projects are shown')
  expect(html).toContain('Filter projects')
})

test('a few projects are shown without a filter and without a note', () => {
  const html = htmlOf(3)
  expect(html).not.toContain('are shown')
  expect(html).not.toContain('Filter projects')
})

test('each scope shows its role, and an unknown role is not shown', () => {
  const [first, second] = scopesOf(2)
  if (first === undefined || second === undefined) throw new Error('there are two scopes')
  const scopes: ScopeChoice[] = [{ kind: 'system', role: 'none' }, { ...first, role: null }, second]
  const html = renderToStaticMarkup(
    <ScopePicker scopes={scopes} present={null} isBusy={false} onChoose={() => undefined} />,
  )
  const roles = html.split('<li').map((item) => /no access|tenant/.exec(item)?.[0] ?? null)
  expect(roles.slice(1)).toEqual(['no access', null, 'tenant'])
})

test('the last choice is first and has the focus, also among 5,000', () => {
  const [, first = ''] = htmlOf(5000, 'p4321').split('<li')
  expect(first).toContain('project-4321')
  expect(first).toContain('last used')
  expect(first).toContain('autofocus')
})

test('a last choice that no longer exists is ignored', () => {
  expect(htmlOf(3, 'gone')).toBe(htmlOf(3))
})
