import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ScopeDto } from '@/lib/schemas/api/session'
import { ScopePicker } from './choose-scope-step'

const scopesOf = (count: number): ScopeDto[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'project',
    id: `p${index}`,
    name: `project-${index}`,
    domain: 'Default',
  }))
const htmlOf = (count: number): string =>
  renderToStaticMarkup(
    <ScopePicker scopes={scopesOf(count)} present={null} isBusy={false} onChoose={() => undefined} />,
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
