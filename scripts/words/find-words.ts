import path from 'node:path'
import ts from 'typescript'
import { NAME_ENDINGS, NAME_WORDS, PROSE, type WordKind } from './patterns'

/** A word that is to be replaced. `line` counts from 1; 0: the name of the file. */
export type WordHit = { kind: WordKind; file: string; line: number; found: string; use: string }

type Found = { found: string; use: string; offset: number }

const inProse = (text: string): Found[] =>
  PROSE.flatMap(({ pattern, use }) =>
    [...text.matchAll(pattern)].map((match) => ({ found: match[0], use, offset: match.index })),
  )

const nameParts = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '')

const inName = (name: string): Omit<Found, 'offset'>[] => {
  const parts = nameParts(name)
  const last = parts.at(-1) ?? ''
  const hits = parts.flatMap((part) => {
    const use = Object.hasOwn(NAME_WORDS, part) ? NAME_WORDS[part] : undefined
    return use === undefined ? [] : [{ found: name, use }]
  })
  const ending = parts.length > 1 && Object.hasOwn(NAME_ENDINGS, last) ? NAME_ENDINGS[last] : undefined
  return ending === undefined ? hits : [...hits, { found: name, use: ending }]
}

const inFileName = (file: string): WordHit[] =>
  inName(path.basename(file).replace(/\..*$/, '')).map((hit) => ({ ...hit, kind: 'names', file, line: 0 }))

/** A text without a blank is a key, a path or a class name. */
const isText = (text: string): boolean => /\S\s+\S/.test(text)

const isModulePath = ({ parent }: ts.Node): boolean =>
  ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isExternalModuleReference(parent)

const textOf = (node: ts.Node): string | null => {
  if (ts.isJsxText(node)) return node.text
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
    return null
  return isModulePath(node) ? null : node.text
}

const comments = (source: ts.SourceFile): { text: string; offset: number }[] => {
  const found: { text: string; offset: number }[] = []
  const seen = new Set<number>()
  const add = (range: ts.CommentRange): void => {
    if (seen.has(range.pos)) return
    seen.add(range.pos)
    found.push({ text: source.text.slice(range.pos, range.end), offset: range.pos })
  }
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) add(range)
    for (const range of ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []) add(range)
    ts.forEachChild(node, visit)
  }
  visit(source)
  visit(source.endOfFileToken)
  return found
}

/** Hits of a TypeScript file. Of a name that occurs often in a file the first occurrence counts. */
export const findInCode = ({ file, text }: { file: string; text: string }): WordHit[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (offset: number) => source.getLineAndCharacterOfPosition(offset).line + 1
  const hits: WordHit[] = inFileName(file)
  const names = new Map<string, number>()
  const visit = (node: ts.Node): void => {
    const prose = textOf(node)
    if (prose !== null && isText(prose))
      for (const { offset: _, ...hit } of inProse(prose))
        hits.push({ ...hit, kind: 'texts', file, line: lineAt(node.getStart(source)) })
    if (ts.isIdentifier(node) && !names.has(node.text)) names.set(node.text, node.getStart(source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const [name, offset] of names)
    for (const hit of inName(name)) hits.push({ ...hit, kind: 'names', file, line: lineAt(offset) })
  for (const comment of comments(source))
    for (const { offset, ...hit } of inProse(comment.text))
      hits.push({ ...hit, kind: 'comments', file, line: lineAt(comment.offset + offset) })
  return hits
}

/** Hits of a Markdown file; code blocks are not prose. */
export const findInDocument = ({ file, text }: { file: string; text: string }): WordHit[] => {
  const hits: WordHit[] = []
  let isCode = false
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode)
      for (const { offset: _, ...hit } of inProse(line.replaceAll(/`[^`]*`/g, '')))
        hits.push({ ...hit, kind: 'docs', file, line: index + 1 })
  }
  return hits
}
