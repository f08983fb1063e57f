import { parse as parseHcl } from '@cdktn/hcl2json'
import { Parser } from 'commonmark'
import { parse as parseCsv } from 'csv-parse/sync'
import { isAlias, isScalar, parseAllDocuments, visit } from 'yaml'

/** What a parser of the real format finds in a text that no template put there; empty where there is nothing. */
type Check = (text: string) => string[] | Promise<string[]>

/** The attacks' own names for sections, options, keys, metrics and headings. */
/** A name that a hostile text made, and not the program. */
export const isForeign = (name: string): boolean => /^\W*pwn_?qz[0-9a-z]{5}\W*$/i.test(name)

const foreign = (what: string, names: readonly string[]): string[] =>
  names.filter(isForeign).map((name) => `${what} ${JSON.stringify(name.slice(0, 80))}`)

/** As oslo.config's iniparser: a line that begins with a blank continues the value above it. */
const checkIni: Check = (text) => {
  const [sections, options, broken]: [string[], string[], string[]] = [[], [], []]
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^\s*$/.test(line) || /^[#;]/.test(line)) continue
    if (/^\s/.test(line)) {
      if (isForeign(line)) broken.push(`a continued line ${JSON.stringify(line.slice(0, 80))}`)
      continue
    }
    const section = /^\[(.*)\]$/.exec(line.trimEnd())?.[1]
    const option = /^([^:=]+)[:=]/.exec(line)?.[1]
    if (section !== undefined) sections.push(section)
    else if (option !== undefined) options.push(option)
    else broken.push(`a line that is neither section nor option ${JSON.stringify(line.slice(0, 80))}`)
  }
  return [...foreign('section', sections), ...foreign('option', options), ...broken]
}

const checkYaml: Check = (text) => {
  const found: string[] = []
  const documents = parseAllDocuments(text, { version: '1.1' })
  if (!Array.isArray(documents)) return found
  if (documents.length > 1) found.push(`${documents.length} documents`)
  for (const document of documents) {
    found.push(...document.errors.map(({ message }) => `not YAML: ${message.split('\n')[0]}`))
    visit(document, {
      Node: (_, node) => {
        if (isAlias(node) || ('anchor' in node && node.anchor !== undefined)) found.push('an anchor or alias')
        if (node.tag?.startsWith('!') === true) found.push(`the tag ${node.tag}`)
      },
      Pair: (_, { key }) => {
        if (isScalar(key)) found.push(...foreign('key', [String(key.value)]))
      },
    })
  }
  return found
}

const keysOf = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)])

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value !== 'object' || value === null ? [] : Object.values(value).flatMap(textsOf)
}

const checkHcl: Check = async (text) => {
  try {
    const parsed = await parseHcl('change.tf', text)
    // hcl2json keeps the doubled sign of a literal `${`, and gives an expression a single one.
    const templates = textsOf(parsed).filter((value) =>
      /(^|[^$])(\$\$)*\$\{\W*pwn|(^|[^%])(%%)*%\{/.test(value),
    )
    return [
      ...foreign('key', keysOf(parsed)),
      ...templates.map((value) => `a template in ${JSON.stringify(value.slice(0, 80))}`),
    ]
  } catch (error) {
    return [`not HCL: ${String(error).slice(0, 200)}`]
  }
}

const NEVER_IN_RUNBOOKS = ['html_inline', 'html_block', 'link', 'image', 'thematic_break']

const checkMarkdown: Check = (text) => {
  const found: string[] = []
  const walker = new Parser().parse(text).walker()
  let before = ''
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { node, entering } = event
    if (!entering) continue
    if (NEVER_IN_RUNBOOKS.includes(node.type))
      found.push(
        `a node ${node.type}: ${JSON.stringify((node.literal ?? node.destination ?? '').slice(0, 80))}`,
      )
    if (node.type === 'code_block') found.push(...foreign('code of the language', [node.info ?? '']))
    // A separate line or a heading that a text created.
    if (node.type === 'text' && ['softbreak', 'linebreak', 'heading'].includes(before))
      if (/^\W*pwn/.test(node.literal ?? ''))
        found.push(`a line that begins with ${JSON.stringify(node.literal)}`)
    before = node.type
  }
  return found
}

/** What a spreadsheet takes for the begin of a formula, in its own and in fullwidth signs. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/

const checkCsv: Check = (text) => {
  let rows: string[][]
  try {
    rows = parseCsv(text, { relax_column_count: true }) as string[][]
  } catch (error) {
    return [`not CSV: ${String(error).slice(0, 200)}`]
  }
  const width = rows[0]?.length ?? 0
  const cells = rows.flat()
  // Where the list separator is a semicolon, it begins a cell too.
  const parts = cells.flatMap((cell) => cell.split(/[;\t]/))
  return [
    ...rows.filter((row) => row.length !== width).map((row) => `a row of ${row.length} fields, not ${width}`),
    ...parts
      .filter((part) => FORMULA.test(part) && Number.isNaN(Number(part)))
      .map((part) => `a formula ${JSON.stringify(part.slice(0, 80))}`),
  ]
}

const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\["\\n])*"`
const SAMPLE = new RegExp(
  String.raw`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:${LABEL})(?:,${LABEL})*)?,?\})? (?:[-+]?[0-9.e+-]+|NaN|[-+]Inf)$`,
)

/** Prometheus's text format 0.0.4, a line at a time. */
const checkPrometheus: Check = (text) =>
  text.split('\n').flatMap((line) => {
    if (line === '' || /^# (HELP|TYPE) sliceboard_\w+ /.test(line)) return []
    const name = SAMPLE.exec(line)?.[1]
    if (name === undefined) return [`not a sample: ${JSON.stringify(line.slice(0, 120))}`]
    return name.startsWith('sliceboard_') ? [] : [`the metric ${name}`]
  })

/** Address of the console in links of the tests. */
export const CONSOLE_URL = 'https://sliceboard.example'

const checkSlack: Check = (text) =>
  [...text.matchAll(/<[^>]*>?/g)]
    .map(([link]) => link)
    .filter((link) => !/^<https:\/\/sliceboard\.example\/[^|<>\s]*\|[^<>|]*>$/.test(link))
    .map((link) => `the link or mention ${JSON.stringify(link.slice(0, 80))}`)

const checkJson: Check = (text) => {
  try {
    return foreign('key', keysOf(JSON.parse(text)))
  } catch (error) {
    return [`not JSON: ${String(error).slice(0, 100)}`]
  }
}

/** Controls, bidi and other format characters, line separators, lone surrogates; a line feed is none of them. */
const UNSAFE = /(?![\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

const checkCharacters = (text: string): string[] => {
  const at = text.search(UNSAFE)
  if (at === -1) return []
  const code = text.codePointAt(at)?.toString(16).padStart(4, '0')
  return [`the character U+${code} in ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 10))}`]
}

/** A method, an address without blanks, and a body in JSON or a placeholder. */
const checkHttp: Check = (text) => {
  // An id that is not known yet is described in braces.
  const known = text.replace(/^(\S+ [^\s{]*)\{[^{}]*\}/, '$1id')
  const found = /^(?:GET|PUT|POST|PATCH|DELETE) (\S+)(?: (.+))?$/s.exec(known)
  if (found === null || text.includes('\n')) return [`no request: ${JSON.stringify(text.slice(0, 80))}`]
  const [, address = '', body = ''] = found
  return [
    ...(/["'`$;|\\]/.test(address) ? [`the address ${JSON.stringify(address.slice(0, 80))}`] : []),
    ...(body === '' || /^[[{<(]/.test(body) ? [] : [`the body ${JSON.stringify(body.slice(0, 80))}`]),
  ]
}

export type Format =
  | 'http'
  | 'ini'
  | 'yaml'
  | 'hcl'
  | 'markdown'
  | 'csv'
  | 'prometheus'
  | 'slack'
  | 'json'
  | 'shell'

const CHECKS: Readonly<Record<Format, Check>> = {
  ini: checkIni,
  yaml: checkYaml,
  hcl: checkHcl,
  markdown: checkMarkdown,
  csv: checkCsv,
  prometheus: checkPrometheus,
  slack: checkSlack,
  json: checkJson,
  http: checkHttp,
  shell: () => [],
}

/** Content of an output that should not exist. Shell texts also run in a sandbox. */
export const problemsOf = async (format: Format, text: string): Promise<string[]> => [
  ...checkCharacters(format === 'csv' ? text.replaceAll('\r\n', '\n') : text),
  ...(await CHECKS[format](text)),
]
