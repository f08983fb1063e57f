import { type Node, Parser } from 'commonmark'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdownCode, markdownText, md } from './markdown'
import { shellWord } from './shell'
import { anyText, HOSTILE_TEXTS, UNSAFE } from './testing/hostile-text'
import { visible } from './visible'

const parser = new Parser()

const nodesOf = (markdown: string): Node[] => {
  const nodes: Node[] = []
  const walker = parser.parse(markdown).walker()
  for (let event = walker.next(); event !== null; event = walker.next())
    if (event.entering) nodes.push(event.node)
  return nodes
}

const shownText = (text: string): string => visible(text).trim().split(/\s+/).join(' ')

test('a text is shown literally in a heading, an item and a paragraph', () => {
  const check = (text: string): void => {
    const word = markdownText(text)
    expect(word).not.toMatch(UNSAFE)
    const nodes = nodesOf(md`# a ${word}\n\n- b ${word}\n\n${word} c\n`)
    const types = nodes.map(({ type }) => type).filter((type) => type !== 'text' && type !== 'code')
    expect(types).toEqual(['document', 'heading', 'list', 'item', 'paragraph', 'paragraph'])
    const shown = nodes.map(({ literal }) => literal ?? '').join('')
    const one = shownText(text)
    expect(shown).toBe(`a ${one}b ${one}${one} c`)
  }
  check('a')
  for (const text of HOSTILE_TEXTS) if (shownText(text) !== '') check(text)
  fc.assert(
    fc.property(
      anyText().filter((text) => shownText(text) !== ''),
      check,
    ),
  )
})

test('an address is written as code, so that no renderer makes a link of it', () => {
  expect(markdownText('see https://evil.example/a_b now')).toBe('see `https://evil.example/a_b` now')
  expect(markdownText('www.evil.example')).toBe('`www.evil.example`')
  expect(markdownText('a@evil.example')).toBe('`a@evil.example`')
  expect(markdownText('ask @all or @octo/team')).toBe('ask `@all` or `@octo/team`')
})

test('a block of code ends where its text ends', () => {
  const check = (text: string): void => {
    const code = shellWord(text)
    const nodes = nodesOf(md`${markdownCode(code, 'sh')}\n\nafter\n`)
    expect(nodes.map(({ type }) => type)).toEqual(['document', 'code_block', 'paragraph', 'text'])
    expect(nodes[1]?.literal).toBe(`${code}\n`)
  }
  for (const text of HOSTILE_TEXTS) check(text)
  fc.assert(fc.property(anyText(), check))
})
