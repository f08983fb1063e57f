/** A project needs one request to Placement and one to Nova, and an account sends some 20 per second. */
const MS_OF_PROJECT = 300

/** More projects than these are read in the background, while the answer has the last values. */
export const MAX_AWAITED = 100

/** How long what was read of a project counts, in milliseconds. Of many projects longer, since a reading of all takes longer. */
export const believedMs = (projectIds: readonly string[], fewMs: number): number =>
  projectIds.length > MAX_AWAITED ? Math.max(60_000, projectIds.length * MS_OF_PROJECT) : fewMs
