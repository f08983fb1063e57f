import { type AttackRun, isClosed } from './attack-run'
import { PARSED, UNRENDERED } from './unrendered-fields'

/** What is wrong with the coverage of the fields, a sentence each: no attack, no appearance, or a reason that is out of date. */
export const uncoveredFields = ({
  fields,
  sent,
  rendered,
}: Pick<AttackRun, 'fields' | 'sent' | 'rendered'>): string[] => {
  const excused = new Set(Object.values(UNRENDERED).flat())
  const parsed = new Set(PARSED)
  const missing = [...fields].flatMap(([field, schemas]) => {
    if (isClosed(schemas) || excused.has(field)) return []
    if (!sent.has(field)) return [`${field}: no cloud of the test has a value there`]
    return parsed.has(field) || rendered.has(field) ? [] : [`${field}: its attacks appear in no output`]
  })
  const stale = [...excused, ...parsed].flatMap((field) => {
    const schemas = fields.get(field)
    if (schemas === undefined) return [`${field}: unrendered-fields.ts lists it, but there is no such field`]
    if (isClosed(schemas)) return [`${field}: unrendered-fields.ts lists it, but it refuses every attack`]
    return excused.has(field) && rendered.has(field)
      ? [`${field}: unrendered-fields.ts lists it, but it appears in an output`]
      : []
  })
  return [...missing, ...stale].toSorted()
}
