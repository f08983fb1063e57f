import type { $ZodType, $ZodTypes } from 'zod/v4/core'

/** Whole numbers below a limit, the same for the same seed. */
const drawFrom = (seed: number) => {
  let state = seed * 2_654_435_761 + 1
  return (limit: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0
    return (state >>> 1) % limit
  }
}

type Draw = ReturnType<typeof drawFrom>

const pick = <Item>(draw: Draw, items: readonly Item[]): Item => items[draw(items.length)] as Item

const draw = (schema: $ZodType, next: Draw): unknown => {
  const { def } = (schema as $ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return pick(next, ['cmp-1', '0000:18:00.0', 'ÄÖ', ' '])
    case 'number':
      return pick(next, 'format' in def ? [0, 3, -7, 80_000] : [0, 0.25, -1, 1e9])
    case 'boolean':
      return next(2) === 0
    case 'literal':
      return pick(next, def.values)
    case 'enum':
      return pick(next, Object.values(def.entries))
    case 'nullable':
      return next(4) === 0 ? null : draw(def.innerType, next)
    case 'optional':
      return next(4) === 0 ? undefined : draw(def.innerType, next)
    case 'array':
      return Array.from({ length: next(3) }, () => draw(def.element, next))
    case 'tuple':
      return def.items.map((item) => draw(item, next))
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .map(([key, part]) => [key, draw(part, next)] as const)
          .filter(([, value]) => value !== undefined),
      )
    case 'union':
      return draw(pick(next, def.options), next)
    case 'unknown':
      return pick(next, [null, 7, 'rack 4', { label: 'rack 4' }])
    case 'custom':
      // The columns of the fleet's list: without rows they agree with each other.
      return []
    default:
      throw new Error(`No sample of a ${def.type} can be drawn.`)
  }
}

/** A value that the schema takes, as JSON brings it; another for each seed. */
export const sampleOf = (schema: $ZodType, seed: number): unknown => draw(schema, drawFrom(seed))

const ODD: readonly unknown[] = [null, undefined, 1.5, -1, 2 ** 53, 'x', '', [], {}, [null], true, Number.NaN]

const damage = (value: unknown, next: Draw): unknown => {
  const isList = Array.isArray(value)
  if (typeof value !== 'object' || value === null || next(6) === 0) return pick(next, ODD)
  const parts = Object.entries(value)
  const key =
    parts.length === 0
      ? 'more'
      : pick(
          next,
          parts.map(([name]) => name),
        )
  if (isList) {
    const way = next(4)
    if (way === 0) return [...value, pick(next, ODD)]
    if (way === 1) return value.slice(1)
    return value.map((one, at) => (String(at) === key ? damage(one, next) : one))
  }
  const way = next(6)
  if (way === 0) return Object.fromEntries(parts.filter(([name]) => name !== key))
  if (way === 1) return { ...value, more: 1 }
  return { ...value, [key]: damage((value as Record<string, unknown>)[key], next) }
}

/** The value with one thing in it that is odd, missing or too much; now and then it is still right. */
export const damaged = (value: unknown, seed: number): unknown => damage(value, drawFrom(seed + 7919))
