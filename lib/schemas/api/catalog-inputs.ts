import * as z from 'zod'
import { CATALOG_LIST, CATALOG_PURPOSES } from '../choices'
import { listQueryShape } from './page-inputs'

/**
 * One page of the project's GPU flavors. `?q=` narrows to flavors with every word, `?state=` to an isolation, `?for=` to a use
 * case, `?memory=` to flavors with so many GiB per GPU or more, `?ids=` to flavors by id, `?watched=true` to those with a
 * subscription.
 */
export const catalogScopeSchema = z.object({
  ...listQueryShape(CATALOG_LIST),
  for: z.enum(CATALOG_PURPOSES).nullish(),
  memory: z.coerce.number('must be a whole number').int().min(0).max(1_000_000).nullish(),
  ids: z.string().max(2000).nullish(),
  watched: z.enum(['true', 'false']).nullish(),
})
export type CatalogScope = z.input<typeof catalogScopeSchema>
