import type { CloudProblem, YamlMap, YamlValue } from './yaml-source'
import { isMap } from './yaml-source'

/** One cloud's values, and where each of them stands. */
export type Entry = {
  cloud: string
  values: YamlMap
  /** Of a path below the cloud. */
  locate: (path: readonly string[]) => { file: string; line: number | null }
}

/** Reads an entry's values and collects what is wrong with them. */
export type EntryReader = {
  entry: Entry
  problems: CloudProblem[]
  /** The first of the paths that has a text; null when none has. */
  text: (...paths: readonly string[]) => string | null
  boolean: (path: string) => boolean | null
  list: (path: string) => readonly YamlValue[] | null
  refuse: (path: string, message: string) => void
}

const YES = ['true', 'yes', 'on', '1']
const NO = ['false', 'no', 'off', '0']
const ABSENT = ['', '~', 'null', 'None']

const valueAt = (values: YamlMap, path: readonly string[]): YamlValue | undefined => {
  let value: YamlValue | undefined = values
  for (const key of path) value = isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

/** A key such as `auth.username` reads below `auth`; openstacksdk also takes it from beside `auth`. */
const placesOf = (path: string): string[][] => {
  const keys = path.split('.')
  return keys[0] === 'auth' ? [keys, keys.slice(1)] : [keys]
}

export const createEntryReader = (entry: Entry): EntryReader => {
  const problems: CloudProblem[] = []
  const refuse = (path: string, message: string) => {
    problems.push({ ...entry.locate(path.split('.')), message: `Cloud "${entry.cloud}": ${message}` })
  }
  const one = (path: string): string | null => {
    for (const place of placesOf(path)) {
      const value = valueAt(entry.values, place)
      if (value === undefined) continue
      if (typeof value !== 'string') refuse(path, `${path} must be one text, not a list or a map.`)
      else if (!ABSENT.includes(value)) return value
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
  const boolean = (path: string): boolean | null => {
    const value = one(path)
    if (value === null) return null
    if (YES.includes(value.toLowerCase())) return true
    if (NO.includes(value.toLowerCase())) return false
    refuse(path, `${path} is "${value}", but it must be true or false.`)
    return null
  }
  const list = (path: string): readonly YamlValue[] | null => {
    const value = valueAt(entry.values, path.split('.'))
    if (value === undefined || (typeof value === 'string' && ABSENT.includes(value))) return null
    if (Array.isArray(value)) return value
    refuse(path, `${path} must be a list.`)
    return null
  }
  return { entry, problems, text, boolean, list, refuse }
}
