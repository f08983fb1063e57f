import type { $ZodType, $ZodTypes } from 'zod/v4/core'

/** A schema of an edge. The paths of its fields start with the name. */
export type Root = { name: string; schema: $ZodType }

/** Gets each string of a value with its path, null where a string may be and is not; gives what is to be in its place. */
export type Replace = (path: string, value: string | null, schema: $ZodType) => string | undefined

export type StringFields = {
  /** Each string of the roots once, and the schemas that describe it: more than one in a union. */
  fields: ReadonlyMap<string, readonly $ZodType[]>
  /** The value with its strings replaced. What its schema does not describe is unchanged. */
  replaceStrings: (root: Root, value: unknown, replace: Replace) => unknown
}

const defOf = (schema: $ZodType) => (schema as $ZodTypes)._zod.def

const accepts = (schema: $ZodType, value: unknown): boolean =>
  (schema as unknown as { safeParse: (value: unknown) => { success: boolean } }).safeParse(value).success

/** Schemas around another one that say how it may be missing, or what is made of it. */
const innerOf = (schema: $ZodType): $ZodType | null => {
  const def = defOf(schema)
  switch (def.type) {
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return def.innerType
    case 'pipe':
      return def.in
    default:
      return null
  }
}

const bareOf = (schema: $ZodType): $ZodType => {
  const inner = innerOf(schema)
  return inner === null ? schema : bareOf(inner)
}

/** Types that hold no string. A type that is in no list fails the test, so that its strings are not overlooked. */
const WITHOUT_STRINGS = ['number', 'boolean', 'null', 'literal', 'enum', 'unknown']

type Child = { path: string; schema: $ZodType }

const childrenOf = ({ path, schema }: Child): Child[] => {
  const def = defOf(schema)
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([key, part]) => ({ path: `${path}.${key}`, schema: part }))
    case 'array':
      return [{ path: `${path}[]`, schema: def.element }]
    case 'tuple':
      return def.items.map((item, at) => ({ path: `${path}[${at}]`, schema: item }))
    case 'record':
      return [
        { path: `${path}{key}`, schema: def.keyType },
        { path: `${path}{value}`, schema: def.valueType },
      ]
    case 'union':
      return def.options.map((option) => ({ path, schema: option }))
    default:
      if (WITHOUT_STRINGS.includes(def.type)) return []
      throw new Error(`${path}: the test does not know schemas of the type ${def.type} yet`)
  }
}

/**
 * All strings below the roots. An object that is part of several roots has one name: where `areParts`, that of the root that it
 * is itself, as `nova.server.name` in a list and in the answer about one server; else its path in the first of them.
 */
export const readStringFields = (
  roots: readonly Root[],
  { areParts }: { areParts: boolean },
): StringFields => {
  const objects = roots.filter(({ schema }) => areParts && defOf(schema).type === 'object')
  const names = new Map<$ZodType, string>(objects.map(({ schema, name }) => [schema, name]))
  const fields = new Map<string, $ZodType[]>()
  const nameOf = (path: string, schema: $ZodType): string => {
    if (defOf(schema).type !== 'object') return path
    const known = names.get(schema)
    if (known === undefined) names.set(schema, path)
    return known ?? path
  }
  const walked = new Set<$ZodType>()
  const walk = (child: Child): void => {
    const schema = bareOf(child.schema)
    const path = nameOf(child.path, schema)
    if (defOf(schema).type === 'string') fields.set(path, [...(fields.get(path) ?? []), schema])
    else if (defOf(schema).type !== 'object' || !walked.has(schema)) {
      walked.add(schema)
      for (const each of childrenOf({ path, schema })) walk(each)
    }
  }
  for (const { name, schema } of roots) walk({ path: name, schema })

  const replaceStrings: StringFields['replaceStrings'] = (root, value, replace) => {
    const visit = (at: string, outer: $ZodType, current: unknown): unknown => {
      const schema = bareOf(outer)
      const def = defOf(schema)
      const path = nameOf(at, schema)
      if (def.type === 'string') {
        if (typeof current === 'string') return replace(path, current, schema) ?? current
        const isMissing = current === null || current === undefined
        return isMissing && outer !== schema ? (replace(path, null, schema) ?? current) : current
      }
      if (def.type === 'union') {
        const option = def.options.find((each) => accepts(each, current))
        return option === undefined ? current : visit(path, option, current)
      }
      if (typeof current !== 'object' || current === null) return current
      if (def.type === 'array' && Array.isArray(current))
        return current.map((item) => visit(`${path}[]`, def.element, item))
      if (def.type === 'tuple' && Array.isArray(current))
        return current.map((item, index) => {
          const part = def.items[index]
          return part === undefined ? item : visit(`${path}[${index}]`, part, item)
        })
      if (def.type === 'record')
        return Object.fromEntries(
          Object.entries(current).map(([key, item]) => [
            visit(`${path}{key}`, def.keyType, key),
            visit(`${path}{value}`, def.valueType, item),
          ]),
        )
      if (def.type !== 'object') return current
      const copy: Record<string, unknown> = { ...current }
      for (const [key, part] of Object.entries(def.shape)) {
        const next = visit(`${path}.${key}`, part, copy[key])
        if (next !== undefined) copy[key] = next
      }
      return copy
    }
    return visit(root.name, root.schema, value)
  }
  return { fields, replaceStrings }
}
