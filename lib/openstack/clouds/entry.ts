import { fillText } from './fill-text'
import { isAbsent } from './resolve-settings'
import { type CloudProblem, isMap, type YamlMap, type YamlValue } from './yaml-source'

/** One cloud's values, and their positions in the file. */
export type Entry = {
  cloud: string
  /** Of the entry itself, with secure.yaml over clouds.yaml. */
  own: YamlMap
  /** Of its profile, which the entry's own replace. */
  profile: YamlMap
  /** Of a path below the cloud. */
  locate: (path: readonly string[]) => { file: string; line: number | null }
}

/** Reads an entry's values and collects what is wrong with them. */
export type EntryReader = {
  problems: CloudProblem[]
  /** The first of the paths that has a text; null when none has. */
  text: (...paths: readonly string[]) => string | null
  /** One text or several. */
  texts: (path: string) => readonly string[]
  boolean: (path: string) => boolean | null
  refuse: (path: string, message: string) => void
}

const YES = ['true', 'yes', 'on', '1']
const NO = ['false', 'no', 'off', '0']

const valueAt = (values: YamlMap, path: readonly string[]): YamlValue | undefined => {
  let value: YamlValue | undefined = values
  for (const key of path) value = isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

/** A key such as `auth.username` reads below `auth`; openstacksdk also accepts it next to `auth`. */
const pathsOf = (path: string): string[][] => {
  const keys = path.split('.')
  return keys[0] === 'auth' ? [keys, keys.slice(1)] : [keys]
}

/** Names in braces are filled in in `auth_url` and in the settings next to `auth`, never in credentials. */
const hasBraces = (path: string): boolean => path === 'auth.auth_url' || !path.startsWith('auth.')

type ReaderInput = { entry: Pick<Entry, 'cloud' | 'locate'>; values: YamlMap }

/** `values`: as `resolveSettings` gives them. */
export const createEntryReader = ({ entry, values }: ReaderInput): EntryReader => {
  const problems: CloudProblem[] = []
  const refuse = (path: string, message: string) => {
    problems.push({ ...entry.locate(path.split('.')), message: `Cloud "${entry.cloud}": ${message}` })
  }
  const fill = (path: string, text: string): string | null => {
    const filled = fillText(text, values)
    if (filled !== null) return filled
    refuse(
      path,
      `${path} has braces, but names no setting of this entry between them; correct or remove them.`,
    )
    return null
  }
  const one = (path: string): string | null => {
    for (const keys of pathsOf(path)) {
      const value = valueAt(values, keys)
      if (value === undefined || isAbsent(value)) continue
      if (typeof value !== 'string') refuse(path, `${path} must be one text, not a list or a map.`)
      else return hasBraces(path) ? fill(path, value) : value
    }
    return null
  }
  const text = (...paths: readonly string[]): string | null => {
    for (const path of paths) {
      const value = one(path)
      if (value !== null) return value
    }
    return null
  }
  const texts = (path: string): readonly string[] => {
    const value = valueAt(values, [path])
    if (!Array.isArray(value)) return [one(path)].filter((found) => found !== null)
    const found = value.filter((item) => typeof item === 'string')
    if (found.length !== value.length) refuse(path, `${path} must be a text or a list of texts.`)
    return found
  }
  const boolean = (path: string): boolean | null => {
    const value = one(path)
    if (value === null) return null
    if (YES.includes(value.toLowerCase())) return true
    if (NO.includes(value.toLowerCase())) return false
    refuse(path, `${path} is "${value}", but it must be true or false.`)
    return null
  }
  return { problems, text, texts, boolean, refuse }
}
