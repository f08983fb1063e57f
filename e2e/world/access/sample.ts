type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  minItems?: number
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
  format?: string
  pattern?: string
}

/** Values that match the patterns of names, ids, times and addresses; the first match is used. */
const SAMPLES = [
  'x',
  '1',
  'none-such',
  '2026-11',
  '2026-11-01',
  '2026-11-21T08:00:00Z',
  '0000:18:00.0',
  '00000000-0000-4000-8000-000000000000',
  'CUSTOM_NONE',
  'class:VGPU',
  'nvidia-1',
  'https://receiver.invalid/hook',
]

const FORMATS: Record<string, string> = {
  'date-time': '2026-11-21T08:00:00Z',
  date: '2026-11-21',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://receiver.invalid/hook',
}

const word = ({ format = '', pattern, minLength = 0 }: Schema): string => {
  const known = FORMATS[format]
  if (known !== undefined) return known
  const fits = (text: string) =>
    text.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(text))
  return SAMPLES.find(fits) ?? 'x'.repeat(Math.max(1, minLength))
}

/** The least value that a JSON Schema of the API's description takes, as far as its rules are in it. */
export const sampleOf = (schema: Schema, defs: Record<string, Schema> = schema.$defs ?? {}): unknown => {
  const again = (part: Schema) => sampleOf(part, defs)
  if (schema.$ref !== undefined) return again(defs[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf ?? []
  const first = choices.find(({ type }) => type === 'null') ?? choices[0]
  if (first !== undefined) return again(first)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(again))
  const type = [schema.type].flat()[0]
  if (type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((name) => [name, again(properties[name] ?? {})]))
  }
  if (type === 'array') {
    const items = schema.prefixItems ?? Array.from({ length: schema.minItems ?? 0 }, () => schema.items ?? {})
    return items.map(again)
  }
  if (type === 'integer' || type === 'number')
    return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1, 1)
  if (type === 'boolean') return false
  return type === 'string' ? word(schema) : null
}
