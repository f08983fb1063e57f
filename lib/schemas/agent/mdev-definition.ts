import * as z from 'zod/mini'
import { GRAMMARS } from './grammar'

/** What mdevctl's file of an mdev may say. Attributes stay empty: mdevctl writes each to a path of its name in sysfs. */
export type MdevDefinition = { typeId: string; start: 'auto' | 'manual' }

/** mdevctl's own members; `attrs` is a list of one-member objects (mdevctl src/mdev.rs to_json). */
const definitionSchema = z.strictObject({
  mdev_type: z.string().check(z.regex(GRAMMARS.vgpuTypeId.pattern, GRAMMARS.vgpuTypeId.rule)),
  start: z.optional(z.enum(['auto', 'manual'])),
  attrs: z.optional(z.array(z.unknown())),
})

/** The file that the agent writes. */
export const definitionText = ({ typeId, start }: MdevDefinition): string =>
  `${JSON.stringify({ mdev_type: typeId, start, attrs: [] }, null, 2)}\n`

export type ReadDefinition =
  | { kind: 'plain'; definition: MdevDefinition }
  /** It holds more than type and start, which the agent does not recreate. */
  | { kind: 'attributes' }
  | { kind: 'malformed' }

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the text of a definition. mdevctl takes a missing `start` as manual. */
export const readDefinitionText = (text: string): ReadDefinition => {
  const json = parseJson(text)
  const parsed = definitionSchema.safeParse(json)
  if (!parsed.success) {
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
    return { kind: isObject && 'mdev_type' in json ? 'attributes' : 'malformed' }
  }
  const { mdev_type: typeId, start = 'manual', attrs = [] } = parsed.data
  return attrs.length > 0 ? { kind: 'attributes' } : { kind: 'plain', definition: { typeId, start } }
}
