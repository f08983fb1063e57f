/* Replaces lib/schemas/mini.ts in the browser's bundles (next.config.mjs): the same names with the same results for the
    shapes of the DTOs, in a tenth of zod's script. It reports that an answer is invalid, but not why; the server's
    schemas do. */
const REFUSED = Symbol('refused')

type Read = (value: unknown) => unknown

/** A check of a value that has the right shape; null: words for the API's description alone. */
type Check = ((value: never) => boolean) | null

type Schema = {
  /** The value as it is taken over, or REFUSED. */
  read: Read
  check: (...checks: Check[]) => Schema
}

type ObjectSchema = Schema & { shape: Record<string, Schema> }

const schema = (read: Read): Schema => ({
  read,
  check: (...checks) =>
    schema((value) => {
      const taken = read(value)
      const isRight = taken !== REFUSED && checks.every((check) => check === null || check(taken as never))
      return isRight ? taken : REFUSED
    }),
})

const when = (isRight: (value: unknown) => boolean): Schema =>
  schema((value) => (isRight(value) ? value : REFUSED))

export const config = (settings: object): void => {
  // zod in the forms' schemas keeps its settings here.
  const all = globalThis as { __zod_globalConfig?: object }
  all.__zod_globalConfig = Object.assign(all.__zod_globalConfig ?? {}, settings)
}

export const string = (): Schema => when((value) => typeof value === 'string')
export const boolean = (): Schema => when((value) => typeof value === 'boolean')
export const number = (): Schema => when(Number.isFinite)
export const int = (): Schema => when(Number.isSafeInteger)
export const unknown = (): Schema => when(() => true)
export const custom = (isRight: (value: unknown) => boolean): Schema => when(isRight)
export const literal = (value: unknown): Schema => oneOf(Array.isArray(value) ? value : [value])
const oneOf = (values: readonly unknown[]): Schema => when((value) => values.includes(value))

export { oneOf as enum }

export const nullable = ({ read }: Schema): Schema => schema((value) => (value === null ? null : read(value)))
export const optional = ({ read }: Schema): Schema =>
  schema((value) => (value === undefined ? undefined : read(value)))

const readAll = (values: readonly unknown[], readOf: (at: number) => Read): unknown => {
  const taken: unknown[] = []
  for (let at = 0; at < values.length; at++) {
    const one = readOf(at)(values[at])
    if (one === REFUSED) return REFUSED
    taken.push(one)
  }
  return taken
}

export const array = ({ read }: Schema): Schema =>
  schema((value) => (Array.isArray(value) ? readAll(value, () => read) : REFUSED))

export const tuple = (items: readonly Schema[]): Schema =>
  schema((value) =>
    Array.isArray(value) && value.length === items.length
      ? readAll(value, (at) => items[at]?.read ?? (() => REFUSED))
      : REFUSED,
  )

/** Keys that the shape does not name are left out. */
export const object = (shape: Record<string, Schema>): ObjectSchema => {
  const entries = Object.entries(shape)
  const read: Read = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return REFUSED
    const taken: Record<string, unknown> = {}
    for (const [key, { read }] of entries) {
      const one = read((value as Record<string, unknown>)[key])
      if (one === REFUSED) return REFUSED
      if (one !== undefined || key in value) taken[key] = one
    }
    return taken
  }
  return { ...schema(read), shape }
}

export const extend = ({ shape }: ObjectSchema, more: Record<string, Schema>): ObjectSchema =>
  object({ ...shape, ...more })

export const pick = ({ shape }: ObjectSchema, keys: Record<string, true>): ObjectSchema =>
  object(Object.fromEntries(Object.entries(shape).filter(([key]) => key in keys)))

export const union = (schemas: readonly Schema[]): Schema =>
  schema((value) => {
    for (const { read } of schemas) {
      const taken = read(value)
      if (taken !== REFUSED) return taken
    }
    return REFUSED
  })

/** A kind has one shape, so the first shape that takes the value is the one of its kind. */
export const discriminatedUnion = (_key: string, schemas: readonly Schema[]): Schema => union(schemas)

export const refine = <Value>(isRight: (value: Value) => boolean) => isRight as Check
export const meta = (): Check => null
export const minLength =
  (min: number): Check =>
  ({ length }: { length: number }) =>
    length >= min
export const maxLength =
  (max: number): Check =>
  ({ length }: { length: number }) =>
    length <= max

export const safeParse = ({ read }: Schema, value: unknown): { success: boolean; data?: unknown } => {
  const data = read(value)
  return data === REFUSED ? { success: false } : { success: true, data }
}
