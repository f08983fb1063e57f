import { lstat, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Document, isNode, isMap as isYamlMap, LineCounter, parseDocument, visit } from 'yaml'

export type YamlValue = string | readonly YamlValue[] | { readonly [key: string]: YamlValue }
export type YamlMap = { readonly [key: string]: YamlValue }

/** What is wrong with a file: the rule in one sentence without any value that could be a secret. */
export type CloudProblem = { file: string; line: number | null; message: string }

export type YamlSource = {
  file: string
  root: YamlMap
  /** Line of the deepest part of the path that the file has. */
  lineOf: (path: readonly string[]) => number | null
  /** Keys that one map has more than once: of each the later counts, as in PyYAML, which openstacksdk reads with. */
  repeated: readonly { key: string; line: number | null }[]
}

/** A clouds.yaml of ten thousand clouds has less. */
const MAX_FILE_BYTES = 4 * 1024 * 1024

export const isMap = (value: YamlValue | undefined): value is YamlMap =>
  typeof value === 'object' && !Array.isArray(value)

/** Why a file was passed over. `isCertain`: the file exists; otherwise its folder is closed to this process. */
export type Unreadable = CloudProblem & { isCertain: boolean }

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

const readSize = async (file: string): Promise<number | Unreadable | null> => {
  try {
    return (await stat(file)).size
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EACCES') {
      const message = `The folder ${dirname(file)} is closed to this process (EACCES), so its files are unknown; give the console's user access to it.`
      return { file, line: null, message, isCertain: false }
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      return { file, line: null, message: `The file can't be read (${code}).`, isCertain: true }
    }
    const isLink = await lstat(file).then(
      () => true,
      () => false,
    )
    const message = 'The file is a link to a file that does not exist; correct the link or remove it.'
    return isLink ? { file, line: null, message, isCertain: true } : null
  }
}

/** Null: there is no such file. */
export const readIfReadable = async (file: string): Promise<string | Unreadable | null> => {
  const size = await readSize(file)
  if (typeof size !== 'number') return size
  if (size > MAX_FILE_BYTES) {
    const message = `The file has ${size} bytes; at most ${MAX_FILE_BYTES} are read, so split or shorten it.`
    return { file, line: null, message, isCertain: true }
  }
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = codeOf(error)
    const remedy = code === 'EACCES' ? "; give the console's user read access" : ''
    return { file, line: null, message: `The file can't be read (${code})${remedy}.`, isCertain: true }
  }
}

/**
 * YAML (or JSON) as text values with their lines. Scalars stay as written, so a password of digits keeps its zeros.
 * The parser's own words are not repeated, for they quote the file.
 */
export const parseYaml = (input: { file: string; text: string }): YamlSource | CloudProblem => {
  try {
    return parseNested(input)
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error
    return { file: input.file, line: null, message: 'The YAML is nested too deeply; remove brackets.' }
  }
}

const parseNested = ({ file, text }: { file: string; text: string }): YamlSource | CloudProblem => {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    schema: 'failsafe',
    merge: true,
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
  })
  const [first] = document.errors
  if (first !== undefined) {
    return {
      file,
      line: lines.linePos(first.pos[0]).line,
      message: `The YAML is broken here (${first.code}); check indentation, colons and quotes.`,
    }
  }
  const repeated = dropRepeated(document, lines)
  const root = toValues({ file, read: () => document.toJS({ maxAliasCount: 100 }) as unknown })
  if ('message' in root) return root.message
  return {
    file,
    root: root.value,
    repeated,
    lineOf: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const node = document.hasIn(path.slice(0, length))
          ? document.getIn(path.slice(0, length), true)
          : null
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
      }
      return null
    },
  }
}

/** Removes all but the last of equal keys from each map. */
const dropRepeated = (document: Document.Parsed, lines: LineCounter): YamlSource['repeated'] => {
  const repeated: { key: string; line: number | null }[] = []
  visit(document, {
    Map: (_key, node) => {
      if (!isYamlMap(node)) return
      const last = new Map(node.items.map((pair, index) => [String(pair.key), index]))
      for (const [index, pair] of node.items.entries()) {
        const key = String(pair.key)
        const other = node.items[last.get(key) ?? index]
        if (key === '<<' || other === undefined || other === pair) continue
        const line = isNode(other.key) && other.key.range ? lines.linePos(other.key.range[0]).line : null
        repeated.push({ key, line })
      }
      node.items = node.items.filter((pair, index) => {
        const key = String(pair.key)
        return key === '<<' || last.get(key) === index
      })
    },
  })
  return repeated
}

type Values = { value: YamlMap } | { message: CloudProblem }

const toValues = ({ file, read }: { file: string; read: () => unknown }): Values => {
  let value: YamlValue
  try {
    value = toYamlValue(read())
  } catch {
    return { message: { file, line: null, message: 'The YAML repeats itself through too many aliases (*).' } }
  }
  if (value === '') return { value: {} }
  if (isMap(value)) return { value }
  return { message: { file, line: 1, message: 'The file must be a map that has "clouds:" at its top.' } }
}

/** No cloud's settings are deeper; a map that holds itself, by an alias inside of its anchor, is. */
const DEEPEST = 64

const toYamlValue = (raw: unknown, depth = 0): YamlValue => {
  if (depth > DEEPEST) throw new RangeError('too deep')
  if (Array.isArray(raw)) return raw.map((value) => toYamlValue(value, depth + 1))
  if (typeof raw === 'object' && raw !== null) {
    return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, toYamlValue(value, depth + 1)]))
  }
  return raw === null || raw === undefined ? '' : String(raw)
}

/** `over` wins; maps are merged, everything else is replaced. */
export const mergeMaps = (under: YamlMap, over: YamlMap): YamlMap => {
  const merged = new Map(Object.entries(under))
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key)
    merged.set(key, isMap(below) && isMap(value) ? mergeMaps(below, value) : value)
  }
  return Object.fromEntries(merged)
}
