import { expect, test } from 'vitest'
import { columnCsv } from './column-csv'

test('a field for each column that has one, after the fields of all lines', () => {
  const columns = [
    { id: 'host', header: 'Host', csv: ({ name }: { name: string }) => name },
    { id: 'link', header: 'Link' },
    { id: 'used', csv: () => null },
  ]
  expect(columnCsv(columns, [{ name: 'cmp-1' }, { name: 'a,b' }], { cloud: 'paris' })).toBe(
    'cloud,host,used\r\nparis,cmp-1,\r\nparis,"a,b",\r\n',
  )
})
