import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvField, csvText } from './csv'
import { anyText, HOSTILE_TEXTS, UNSAFE } from './testing/hostile-text'

const FORMULA = /^["\s]*[=+\-@＝＋－＠]/

const cellsOf = (text: string, delimiter: string | string[] = ','): string[] =>
  (parse(text, { delimiter }) as string[][]).flat()

test('no text is a formula for any separator that a spreadsheet splits by', () => {
  const check = (texts: readonly string[]): void => {
    const line = csvText([texts])
    expect(line.replace(/\r\n$/, '')).not.toMatch(UNSAFE)
    for (const delimiter of [',', [',', ';'], [',', '|', '\t']])
      for (const cell of cellsOf(line, delimiter)) expect(cell).not.toMatch(FORMULA)
    // A spreadsheet that splits by another separator does not see the quotes of this one.
    for (const separator of [';', '|', /[;|]/])
      for (const cell of line.split(separator)) expect(cell).not.toMatch(FORMULA)
    expect(cellsOf(line)).toHaveLength(texts.length)
  }
  check(HOSTILE_TEXTS)
  fc.assert(fc.property(fc.array(anyText(), { minLength: 1 }), check))
})

test('text without a formula is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
      const read = cellsOf(csvText([texts]))
      expect(read.map((cell) => cell.replaceAll("'", ''))).toEqual(
        texts.map((text) => text.replaceAll("'", '')),
      )
    }),
  )
})

test('numbers stay numbers, and null is an empty field', () => {
  expect(csvText([[-5, 0.5, null, '-5']])).toBe("-5,0.5,,'-5\r\n")
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (number) => {
      expect(Number(csvField(number))).toBe(Number(String(number)))
    }),
  )
})

test('signs are neutralized behind blanks, behind separators and in fullwidth form', () => {
  expect(csvField(' =1+1')).toBe("' =1+1")
  expect(csvField('a;=cmd|b')).toBe("a;'=cmd|b")
  expect(csvField('a; "=1"')).toBe(`"a;' ""=1"""`)
  expect(csvField('＝1')).toBe("'＝1")
  expect(csvField('a\n=1')).toBe('a⟨U+000A⟩=1')
})
