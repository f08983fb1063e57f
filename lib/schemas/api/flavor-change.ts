import * as z from 'zod/mini'

const placementPreviewSchema = z.object({
  /** The literal call that Placement was asked. */
  query: z.string(),
  fits: z.int(),
  fittingHosts: z.int(),
  unknownHosts: z.int(),
  /** Hosts that could take one if they were empty; null: unknown for some host. */
  possibleHosts: z.nullable(z.int()),
  because: z.nullable(z.string()),
  placement: z.object({
    state: z.enum(['answered', 'refused', 'away', 'not-asked']),
    candidates: z.nullable(z.int()),
    because: z.nullable(z.string()),
  }),
})
export type PlacementPreview = z.infer<typeof placementPreviewSchema>

/** What a change of flavors means. */
export const flavorChangeSchema = z.object({
  flavors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      isNew: z.boolean(),
      isPublic: z.boolean(),
      asksBefore: z.nullable(z.string()),
      asks: z.string(),
      /** Each extra spec before and after; null: not there. */
      specs: z.array(
        z.object({ key: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
      ),
      /** Servers that keep their copy; null: not known. */
      servers: z.nullable(z.int()),
      /** Null: nothing changes in the query to Placement. */
      placementPreview: z.nullable(placementPreviewSchema),
    }),
  ),
  refusals: z.array(z.object({ id: z.string(), name: z.string(), reason: z.string() })),
  unchanged: z.array(z.string()),
  aggregate: z.nullable(z.string()),
  notes: z.array(z.string()),
  terraform: z.nullable(z.string()),
})
export type FlavorChangePreview = z.infer<typeof flavorChangeSchema>
