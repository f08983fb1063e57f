import * as z from 'zod/mini'

const markSchema = z.object({
  /** `fleet-silent`: more than half of the hosts fell silent at once. */
  kind: z.enum(['change', 'fleet-silent', 'silence', 'finding']),
  /** ISO 8601 UTC. */
  at: z.string(),
  /** End of the silence; null: it continues, or the mark is of another kind. */
  until: z.nullable(z.string()),
  /** `change 9: 8 cards T4-16C to T4-8Q`. */
  label: z.string(),
  /** The number of changes, hosts or findings of the mark; `of` names the first five. */
  count: z.int(),
  of: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('change'), id: z.int() }),
      z.object({ kind: z.literal('finding'), id: z.int() }),
      z.object({ kind: z.literal('host'), host: z.string() }),
    ]),
  ),
})
export type CapacityMark = z.infer<typeof markSchema>

export const capacityMarksSchema = z.object({
  cloud: z.string(),
  /** ISO 8601 UTC. */
  from: z.string(),
  until: z.string(),
  /** In the order of time, at most 30. */
  marks: z.array(markSchema),
  /** Further events without a mark. */
  more: z.object({ changes: z.int(), silences: z.int(), findings: z.int() }),
})
export type CapacityMarks = z.infer<typeof capacityMarksSchema>
