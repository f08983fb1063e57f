import { readFileSync } from 'node:fs'
import ts from 'typescript'

export type FoundRegex = { file: string; line: number; source: string; flags: string }

const partsOf = (literal: string): { source: string; flags: string } => {
  const end = literal.lastIndexOf('/')
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) }
}

/** A text in the file: a literal, a constant, or a template of both. Null: it is made when the code runs. */
const textOf = (node: ts.Expression | undefined, constants: Map<string, ts.Expression>): string | null => {
  if (node === undefined) return null
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants)
  if (!ts.isTemplateExpression(node)) return null
  return node.templateSpans.reduce<string | null>((text, { expression, literal }) => {
    const part = textOf(expression, constants)
    return text === null || part === null ? null : text + part + literal.text
  }, node.head.text)
}

/** The regular expressions of a file: literals, and those that are built of its constants. */
export const findRegexes = (file: string): FoundRegex[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const constants = new Map<string, ts.Expression>()
  const found: FoundRegex[] = []
  const add = (node: ts.Node, parts: { source: string; flags: string }): void => {
    found.push({ file, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, ...parts })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      constants.set(node.name.text, node.initializer)
    if (ts.isRegularExpressionLiteral(node)) add(node, partsOf(node.text))
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      const built = textOf(node.arguments?.[0], constants)
      if (built !== null) add(node, { source: built, flags: textOf(node.arguments?.[1], constants) ?? '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
