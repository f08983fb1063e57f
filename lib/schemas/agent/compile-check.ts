import type * as z from 'zod/mini'

type Check = (value: unknown) => boolean
type Rule = z.core.$ZodChecks['_zod']['def']
type Schema = { _zod: { def: z.core.$ZodTypeDef } }
type Def<Type extends z.core.$ZodTypes['_zod']['def']['type']> = Extract<
  z.core.$ZodTypes['_zod']['def'],
  { type: Type }
>

/** Formats whose whole rule is their pattern. */
const PATTERN_FORMATS: readonly string[] = ['regex', 'datetime']

/** The rules of a string, number or list: a format such as `z.int()` is one itself. */
const rulesOf = (def: z.core.$ZodTypeDef): Rule[] => {
  const rules = (def.checks ?? []).map(({ _zod }) => _zod.def as Rule)
  return 'check' in def ? [def as unknown as Rule, ...rules] : rules
}

const hasRules = ({ checks }: z.core.$ZodTypeDef): boolean => checks !== undefined && checks.length > 0

/** All of them, or null where one is not known. */
const all = <T>(checks: readonly (T | null)[]): T[] | null => {
  const known = checks.filter((check) => check !== null)
  return known.length === checks.length ? known : null
}

/** Lengths of texts count characters, which take one or two of these units; of lists they count entries. */
const lengthRule = (rule: Rule, unitsPerCharacter: 1 | 2): ((units: number) => boolean) | null => {
  if (rule.check === 'max_length') return (units) => units <= rule.maximum
  if (rule.check !== 'min_length') return null
  const min = rule.minimum > 1 ? rule.minimum * unitsPerCharacter : rule.minimum
  return (units) => units >= min
}

const textRule = (rule: Rule): ((text: string) => boolean) | null => {
  if (rule.check === 'overwrite') return (text) => rule.tx(text) === text
  if (rule.check === 'string_format') {
    const { format, pattern } = rule
    if (!PATTERN_FORMATS.includes(format) || pattern === undefined) return null
    // A pattern of these kinds remembers where it was.
    return pattern.global || pattern.sticky ? null : (text) => pattern.test(text)
  }
  const rightLength = lengthRule(rule, 2)
  return rightLength && ((text) => rightLength(text.length))
}

const numberRule = (rule: Rule): ((value: number) => boolean) | null => {
  if (rule.check === 'number_format') return rule.format === 'safeint' ? Number.isSafeInteger : null
  if (rule.check !== 'greater_than' && rule.check !== 'less_than') return null
  const { value: bound, inclusive } = rule
  if (typeof bound !== 'number' || !inclusive) return null
  return rule.check === 'greater_than' ? (value) => value >= bound : (value) => value <= bound
}

const compileString = (def: Def<'string'>): Check | null => {
  const rules = all(rulesOf(def).map(textRule))
  if (rules === null || def.coerce) return null
  return (value) => {
    if (typeof value !== 'string') return false
    for (const rule of rules) if (!rule(value)) return false
    return true
  }
}

const compileNumber = (def: Def<'number'>): Check | null => {
  const rules = all(rulesOf(def).map(numberRule))
  if (rules === null || def.coerce) return null
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return false
    for (const rule of rules) if (!rule(value)) return false
    return true
  }
}

const compileArray = (def: Def<'array'>): Check | null => {
  const rules = all(rulesOf(def).map((rule) => lengthRule(rule, 1)))
  const check = compile(def.element)
  if (rules === null || check === null) return null
  return (value) => {
    if (!Array.isArray(value)) return false
    for (const rule of rules) if (!rule(value.length)) return false
    for (let index = 0; index < value.length; index += 1) if (!check(value[index])) return false
    return true
  }
}

const compileTuple = (def: Def<'tuple'>): Check | null => {
  const checks = all(def.items.map(compile))
  if (checks === null || def.rest !== null || hasRules(def)) return null
  return (value) => {
    if (!Array.isArray(value) || value.length !== checks.length) return false
    for (let index = 0; index < checks.length; index += 1) if (!checks[index]?.(value[index])) return false
    return true
  }
}

const isOptional = (schema: Schema): boolean => schema._zod.def.type === 'optional'

const compileObject = (def: Def<'object'>): Check | null => {
  // In the order of the canonical JSON, in which members mostly come.
  const members = Object.entries(def.shape).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = members.map(([name]) => name)
  const checks = all(members.map(([, schema]) => compile(schema)))
  if (checks === null || hasRules(def)) return null
  const required = members.map(([, schema]) => (isOptional(schema) ? 0 : 1))
  const max = required.filter((one) => one === 1).length
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const object = value as Readonly<Record<string, unknown>>
    let index = 0
    let found = 0
    for (const name in object) {
      if (names[index] !== name) index = names.indexOf(name)
      // A name that is not known has index -1, where there is no check.
      if (!checks[index]?.(object[name])) return false
      found += required[index] ?? 0
      index += 1
    }
    return found === max
  }
}

const compileRecord = (def: Def<'record'>): Check | null => {
  const key = (def.keyType as z.core.$ZodTypes)._zod.def
  const check = compile(def.valueType)
  if (check === null || key.type !== 'string' || hasRules(key) || 'check' in key || hasRules(def)) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const record = value as Readonly<Record<string, unknown>>
    // The schema drops a member of the name __proto__.
    for (const name in record) if (name === '__proto__' || !check(record[name])) return false
    return true
  }
}

const compileInner = (def: Def<'nullable' | 'optional'>): Check | null => {
  const check = compile(def.innerType)
  if (check === null || hasRules(def)) return null
  return def.type === 'nullable' ? (value) => value === null || check(value) : check
}

const compileEnum = (def: Def<'enum' | 'literal'>): Check | null => {
  const words = def.type === 'enum' ? Object.values(def.entries) : def.values
  if (hasRules(def) || !words.every((word) => typeof word === 'string' || def.type === 'literal')) return null
  return (value) => (typeof value === 'string' || typeof value === 'number') && words.includes(value)
}

const compile = (schema: Schema): Check | null => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return compileString(def)
    case 'number':
      return compileNumber(def)
    case 'boolean':
      return def.coerce || hasRules(def) ? null : (value) => typeof value === 'boolean'
    case 'array':
      return compileArray(def)
    case 'tuple':
      return compileTuple(def)
    case 'object':
      return compileObject(def)
    case 'record':
      return compileRecord(def)
    case 'nullable':
    case 'optional':
      return compileInner(def)
    case 'enum':
    case 'literal':
      return compileEnum(def)
    case 'union': {
      // A later option counts only where none before it takes the value, with a change or without.
      const [first] = def.options
      return first === undefined || def.inclusive === false || hasRules(def) ? null : compile(first)
    }
    default:
      return null
  }
}

/**
 * A check for the usual case at a tenth of the schema's time: true only for a value from JSON.parse that the schema
 * accepts unchanged. After false the schema decides. For schemas with unsupported parts it is always false.
 */
export const compileCheck = <S extends z.core.$ZodType>(
  schema: S,
): ((value: unknown) => value is z.output<S>) => {
  const check = compile(schema)
  return (value): value is z.output<S> => check?.(value) === true
}
