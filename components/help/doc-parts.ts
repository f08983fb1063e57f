/** A table, with the Markdown of each cell, or the Markdown between tables. */
export type DocPart =
  | { kind: 'text'; text: string }
  | { kind: 'table'; head: readonly string[]; body: readonly (readonly string[])[] }

const CODE_MARK = /^\s*(?:```|~~~)/
const RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/

/** Cells of `| a | b |`; `\|` is a text (GitHub Flavored Markdown, 4.10). */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** Separates the tables of a document, which CommonMark does not have, from the rest. */
export const docParts = (source: string): DocPart[] => {
  const lines = source.split('\n')
  const parts: DocPart[] = []
  let text: string[] = []
  let isInCode = false
  const endText = () => {
    if (text.some((line) => line !== '')) parts.push({ kind: 'text', text: text.join('\n') })
    text = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (CODE_MARK.test(line)) isInCode = !isInCode
    if (isInCode || !line.startsWith('|') || !RULE.test(lines[at + 1] ?? '')) {
      text.push(line)
      continue
    }
    endText()
    const end = lines.findIndex((each, index) => index > at && !each.startsWith('|'))
    const rows = lines.slice(at + 2, end === -1 ? undefined : end)
    parts.push({ kind: 'table', head: cellsOf(line), body: rows.map(cellsOf) })
    at += rows.length + 1
  }
  endText()
  return parts
}
