import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ShownColumn } from './column'
import { TableHead } from './data-table'

const COLUMNS: readonly ShownColumn<unknown, unknown, 'name' | 'fits'>[] = [
  { id: 'name', header: 'Name', sort: 'name', isRising: true, cell: () => null },
  { id: 'fits', header: 'Fits', sort: 'fits', cell: () => null },
  { id: 'notes', header: 'Notes', phone: 'hidden', cell: () => null },
]

const headOf = (sort: 'name' | 'fits', desc: boolean): string =>
  renderToStaticMarkup(
    <table>
      <TableHead columns={COLUMNS} sorting={{ sort, desc, set: () => null }} isNumbered={false} />
    </table>,
  )

const sortedBy = (html: string): (string | undefined)[] => {
  const [, order, text] = /aria-sort="(\w+)".*?<button[^>]*>(.*?)<\/button>/.exec(html) ?? []
  return [order, text]
}

test('a name starts with the smallest and a number with the largest; desc reverses both', () => {
  expect(sortedBy(headOf('name', false))).toEqual(['ascending', 'Name ↑'])
  expect(sortedBy(headOf('name', true))).toEqual(['descending', 'Name ↓'])
  expect(sortedBy(headOf('fits', false))).toEqual(['descending', 'Fits ↓'])
  expect(sortedBy(headOf('fits', true))).toEqual(['ascending', 'Fits ↑'])
})

test('only columns with a sort have a button, and one that is hidden on a phone stays wide only', () => {
  const html = headOf('name', false)
  expect(html.match(/<button/g)).toHaveLength(2)
  expect(html).toMatch(/<th[^>]*max-md:hidden[^>]*>Notes/)
})
