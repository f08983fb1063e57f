import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { drawnChoices, FilteredSelect } from './filtered-select'

const drawn = (count: number, value = ''): string =>
  renderToStaticMarkup(
    <FilteredSelect
      label="Like"
      empty="Choose"
      value={value}
      choices={Array.from({ length: count }, (_, index) => ({ value: `v${index}`, label: `cmp-${index}` }))}
      onChoose={() => undefined}
    />,
  )

const optionCount = (html: string): number => html.split('<option').length - 1

test('few choices need no filter', () => {
  expect(drawn(60)).not.toContain('<input')
  expect(optionCount(drawn(60))).toBe(61)
})

test('of many choices the first are drawn, with the chosen one and the number of the others', () => {
  expect(drawn(1200)).toContain('aria-label="Like: filter"')
  expect(drawn(1200)).toContain('1,140 more: filter them')
  expect(optionCount(drawn(1200))).toBe(62)
  expect(drawn(1200, 'v700')).toContain('value="v700" selected=""')
  expect(optionCount(drawn(1200, 'v700'))).toBe(62)
})

test('the text selects the choices, and the chosen one stays', () => {
  const choices = Array.from({ length: 100 }, (_, index) => ({ value: `v${index}`, label: `CMP-${index}` }))
  const { shown, more } = drawnChoices(choices, { text: ' cmp-9', value: 'v5' })
  expect(shown.map(({ value }) => value)).toEqual([
    'v5',
    'v9',
    ...choices.slice(90).map(({ value }) => value),
  ])
  expect(more).toBe(0)
})
