import 'server-only'
import type * as z from 'zod/mini'
import { CONTRACT_REVISION, contractRevisionSchema } from '@/lib/schemas/agent/revision'

/** The revision of the contract by which a message was written; 1 where it names none that could be. */
const revisionOf = (input: unknown): number => {
  if (typeof input !== 'object' || input === null || !('contractRevision' in input)) return 1
  return contractRevisionSchema.safeParse(input.contractRevision).data ?? 1
}

/** Whether it may hold members that this console does not know. */
export const isOfNewerContract = (input: unknown): boolean => revisionOf(input) > CONTRACT_REVISION

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? inner[key as keyof typeof inner]
        : undefined,
    value,
  )

/** Parses without the members that the schema does not know. Throws for anything else that is wrong. */
export const parseKnown = <Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> => {
  const parsed = schema.safeParse(input)
  return parsed.success ? parsed.data : schema.parse(leaveOutUnknown(schema, input))
}

/**
 * Takes the members that the schema does not know out of a value that JSON.parse made, and returns it: nothing else holds it
 * yet. Whatever else is wrong with it stays. What is taken out is never looked into.
 */
export const leaveOutUnknown = (schema: z.ZodMiniType, input: unknown): unknown => {
  const parsed = schema.safeParse(input)
  if (parsed.success) return input
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const holder = at(input, issue.path)
    if (typeof holder !== 'object' || holder === null) continue
    for (const key of issue.keys) Reflect.deleteProperty(holder, key)
  }
  return input
}
