import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StackedBar } from './stacked-bar'

const classesOf = (totals: Parameters<typeof StackedBar>[0]['totals']) =>
  [...renderToStaticMarkup(<StackedBar totals={totals} />).matchAll(/<rect[^>]*class="([^"]+)"/g)].map(
    ([, name]) => name,
  )

test('blocked and unknown shares are drawn as in the legend, at the end', () => {
  const totals = { capacity: 8, used: 3, spare: 1, orphan: 0, blocked: 2, unknown: 1 }
  const markup = renderToStaticMarkup(<StackedBar totals={totals} />)
  expect(classesOf(totals)).toEqual(['stack-rest', 'stack-used', 'stack-spare', 'bar-locked', 'bar-unknown'])
  expect(Number(/x="([\d.]+)%"[^>]*bar-locked/.exec(markup)?.[1])).toBeCloseTo(500 / 8)
})

test('an unknown total is an empty outline, not an empty bar', () => {
  const nothing = { capacity: null, used: null, spare: null, orphan: null, blocked: null, unknown: null }
  expect(classesOf(nothing)).toEqual(['bar-unknown'])
})
