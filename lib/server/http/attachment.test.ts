import { expect, test } from 'vitest'
import { attachment } from './attachment'

test('a file is handed over under its name and is kept by no cache', async () => {
  const csv = attachment({ name: 'idle.csv', text: 'a,b\r\n' })
  expect(Object.fromEntries(csv.headers)).toEqual({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="idle.csv"',
    'cache-control': 'no-store',
  })
  expect(await csv.text()).toBe('a,b\r\n')
  const json = attachment({ name: 'review.json', type: 'application/json', text: '{}' })
  expect(json.headers.get('content-type')).toBe('application/json')
})
