import { expect, test } from 'vitest'
import { findInCode, findInDocument } from './find-words'

const kindsOf = (text: string, file = 'lib/reported.ts') =>
  findInCode({ file, text }).map(({ kind, found, line }) => `${kind}:${line}:${found}`)

test('texts, names, comments and file names are read for themselves', () => {
  expect(kindsOf(`const text = 'Nova is told of it'`)).toEqual(['texts:1:told'])
  expect(kindsOf(['', 'const isTold = true', 'use(isTold)'].join('\n'))).toEqual(['names:2:isTold'])
  expect(kindsOf('// Whoever asks for it\nconst a = 1')).toEqual([
    'comments:1:asks for',
    'comments:1:Whoever',
  ])
  expect(kindsOf('export const actorWords = 1')).toEqual(['names:1:actorWords'])
  expect(kindsOf('const a = 1', 'lib/disk-room.ts')).toEqual(['names:0:disk-room'])
})

test('text between elements and in templates is read, keys and module paths are not', () => {
  expect(kindsOf('const a = <p>Nothing stands here</p>', 'components/a.tsx')).toEqual(['texts:1:stands'])
  expect(kindsOf('const a = `it is made anew`')).toEqual(['texts:1:anew'])
  expect(kindsOf(`import { b } from './told'\nconst a = { kind: 'told' }`)).toEqual([])
})

test('words within other words are not hits', () => {
  expect(kindsOf('const clipboard = "the clipboard was restored upstream"')).toEqual([])
  expect(kindsOf('const almost = foretold')).toEqual([])
})

test('code in documents is not prose', () => {
  const text = ['It stands here.', '', '```sh', 'told', '```', '', 'Use `told` instead.'].join('\n')
  expect(findInDocument({ file: 'a.md', text })).toMatchObject([{ kind: 'docs', line: 1, found: 'stands' }])
})
