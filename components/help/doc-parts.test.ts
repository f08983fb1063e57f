import { expect, test } from 'vitest'
import { docParts } from './doc-parts'

test('a table is separate from the text around it, with the Markdown of its cells', () => {
  const source = 'Before.\n\n| a | `b` |\n| --- | :--: |\n| 1 | `x \\| y` |\n| | [l](m.md) |\n\nAfter.'
  expect(docParts(source)).toEqual([
    { kind: 'text', text: 'Before.\n' },
    {
      kind: 'table',
      head: ['a', '`b`'],
      body: [
        ['1', '`x | y`'],
        ['', '[l](m.md)'],
      ],
    },
    { kind: 'text', text: '\nAfter.' },
  ])
})

test('what looks like a table within code stays code', () => {
  const source = '```\n| a |\n| --- |\n| 1 |\n```'
  expect(docParts(source)).toEqual([{ kind: 'text', text: source }])
})

test('a table at the end of a document is complete', () => {
  expect(docParts('| a |\n| --- |\n| 1 |\n| 2 |')).toEqual([
    { kind: 'table', head: ['a'], body: [['1'], ['2']] },
  ])
})
