import * as z from 'zod/mini'

const removedHostSchema = z.object({
  id: z.int(),
  name: z.string(),
  removedAt: z.string(),
  removedBy: z.string(),
  reason: z.string(),
  /** Null: the host never reported. */
  lastSeenAt: z.nullable(z.string()),
  gpuCount: z.int(),
  /** The host that continues its history; null: none does. */
  mergedInto: z.nullable(z.string()),
  /** Why it cannot be restored; null: it can. */
  restoreRefusal: z.nullable(z.string()),
})
export type RemovedHost = z.infer<typeof removedHostSchema>

export const removedHostListSchema = z.object({ cloud: z.string(), hosts: z.array(removedHostSchema) })
export type RemovedHostList = z.infer<typeof removedHostListSchema>

/** What a merge moves, and why it is refused; `refusal` null: it is not. */
export const hostMergePreviewSchema = z.object({
  cloud: z.string(),
  from: z.string(),
  into: z.string(),
  /** When the history of `from` began and ended, and that of `into` began. */
  firstKnownAt: z.nullable(z.string()),
  lastKnownAt: z.nullable(z.string()),
  continuesAt: z.nullable(z.string()),
  /** GPUs of `from` that `into` reports too, by GPU UUID or else by address and device. */
  matchingGpus: z.int(),
  gpuCount: z.int(),
  /** Open findings of `from` that are resolved, and traits that are no longer managed. */
  openFindings: z.int(),
  managedTraits: z.int(),
  isRemoved: z.boolean(),
  refusal: z.nullable(z.string()),
})
export type HostMergePreview = z.infer<typeof hostMergePreviewSchema>

const suggestionSchema = z.object({
  host: z.string(),
  /** Since when it is silent; for a host that never reported, since when it is known. */
  silentSince: z.string(),
  hasReported: z.boolean(),
  gpuCount: z.int(),
  /** The host that reports the same GPUs since; null: none does. */
  continuedBy: z.nullable(z.string()),
})
export type RemovalSuggestion = z.infer<typeof suggestionSchema>

export const removalSuggestionsSchema = z.object({
  cloud: z.string(),
  afterDays: z.int(),
  /** Silent for `afterDays` days, or continued by another host. */
  hosts: z.array(suggestionSchema),
})
export type RemovalSuggestions = z.infer<typeof removalSuggestionsSchema>
