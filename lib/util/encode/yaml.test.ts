import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { anyText, HOSTILE_TEXTS, UNSAFE } from './testing/hostile-text'
import { visible, withoutTemplates } from './visible'
import { yamlDocument } from './yaml'
import { yaml, yamlQuoted, yamlString } from './yaml-string'

const clean = (text: string): string => withoutTemplates(visible(text))

const checkDocument = (key: string, text: string): void => {
  const document = yamlDocument({ [`k${key}`]: { list: [text], text, number: 1, flag: true } })
  expect(document.replaceAll('\n', '')).not.toMatch(UNSAFE)
  expect(document).not.toMatch(/\{[{%#]/)
  for (const version of ['1.1', '1.2'] as const)
    expect(parse(document, { version })).toEqual({
      [clean(`k${key}`)]: { list: [clean(text)], text: clean(text), number: 1, flag: true },
    })
}

test('a document is read back as it was, with unsafe characters made visible', () => {
  for (const text of HOSTILE_TEXTS) checkDocument(text.slice(0, 500), text)
  fc.assert(fc.property(anyText(), anyText(), (key, text) => checkDocument(key.slice(0, 500), text)))
})

test('a text in quotes is read back in any context', () => {
  const check = (text: string): void => {
    const line = yaml`a: ${yamlString(text)}\nb: [${yamlString(text)}]\nc: ${yamlQuoted(text)}\n`
    expect(line.replaceAll('\n', '')).not.toMatch(UNSAFE)
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(line, { version })).toEqual({
        a: visible(text),
        b: [visible(text)],
        c: visible(text),
      })
  }
  for (const text of HOSTILE_TEXTS) check(text)
  fc.assert(fc.property(anyText(), check))
})

test('a plain string is refused', () => {
  const raw: string = 'a'
  // @ts-expect-error a plain string is refused
  expect(yaml`a: ${raw}`).toBe('a: a')
})

test('a long text stays in one line', () => {
  const text = 'word '.repeat(60).trim()
  expect(yamlDocument({ a: text })).toBe(`a: '${text}'\n`)
})
