import { type $ZodType, toJSONSchema } from 'zod/v4/core'

export type JsonSchema = Record<string, unknown>

type Io = 'input' | 'output'

/** JSON Schema 2020-12. What has no form in it (a check of ours) is left open. */
export const jsonSchema = (schema: $ZodType, io: Io): JsonSchema => {
  const { $schema: _dialect, ...described } = toJSONSchema(schema, { io, unrepresentable: 'any' })
  return described
}

/** A query string cannot contain null. */
const withoutNull = (property: unknown): unknown => {
  const { anyOf, ...rest } = property as { anyOf?: { type?: string }[] }
  const others = anyOf?.filter(({ type }) => type !== 'null')
  return others?.length === 1 ? { ...rest, ...others[0] } : property
}

type Field = { name: string; schema: unknown; isRequired: boolean }

/** Fields of an address by their names. */
export const addressFields = (schema: $ZodType | undefined): Field[] => {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: withoutNull(property),
    isRequired: required.includes(name),
  }))
}
