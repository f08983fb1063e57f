import { expect, it } from 'vitest'
import { csvField, csvText } from './csv-field'

it('keeps text that a spreadsheet would run as text', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\r', '\n'])
    expect(csvField(`${begin}HYPERLINK(1)`).replaceAll('"', '')).toBe(`'${begin}HYPERLINK(1)`)
  expect(csvField('cmp-01')).toBe('cmp-01')
  expect(csvField(-4)).toBe('-4')
})

it('quotes what would end a field or a row', () => {
  expect(csvText([['a,b', 'say "so"', 'one\ntwo', null, 3]])).toBe('"a,b","say ""so""","one\ntwo",,3\r\n')
})
