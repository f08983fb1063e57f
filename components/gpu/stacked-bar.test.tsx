import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StackedBar } from './stacked-bar'

const classesOf = (totals: Parameters<typeof StackedBar>[0]['totals']) =>
  [...renderToStaticMarkup(<StackedBar totals={totals} />).matchAll(/<rect[^>]*class="([^"]+)"/g)].map(
    ([, name]) => name,
  )

test('places that can’t be made now are drawn as in the legend, at the end', () => {
  const totals = { capacity: 7, used: 3, spare: 1, orphan: 0, locked: 3 }
  const markup = renderToStaticMarkup(<StackedBar totals={totals} />)
  expect(classesOf(totals)).toEqual(['stack-rest', 'stack-used', 'stack-spare', 'bar-locked'])
  expect(Number(/x="([\d.]+)%"[^>]*bar-locked/.exec(markup)?.[1])).toBeCloseTo(400 / 7)
})

test('unknown shares are an empty outline, not an empty bar', () => {
  expect(classesOf({ capacity: null, used: null, spare: null, orphan: null, locked: null })).toEqual([
    'bar-unknown',
  ])
})
