import { expect, test } from 'vitest'
import { csvText } from '@/lib/util/encode/csv'
import { jsonText } from '@/lib/util/encode/json'
import { attachment } from './attachment'

test('a file is sent with its name and stored by no cache', async () => {
  const csv = attachment({ name: 'idle.csv', text: csvText([['a', 'b']]) })
  expect(Object.fromEntries(csv.headers)).toEqual({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="idle.csv"',
    'cache-control': 'no-store',
  })
  expect(await csv.text()).toBe('a,b\r\n')
  // @ts-expect-error a plain string is no file
  expect(attachment({ name: 'a.csv', text: 'a,b' }).status).toBe(200)
  const json = attachment({ name: 'review.json', type: 'application/json', text: jsonText({}) })
  expect(json.headers.get('content-type')).toBe('application/json')
})
