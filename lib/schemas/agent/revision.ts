import * as z from 'zod/mini'

/**
 * Revision of the contract within its version, from 1. It rises when a message gets members that an older console does not
 * know: that one leaves them out. Anything else that an older console could not read, such as a new word in an old member,
 * raises the version.
 */
export const CONTRACT_REVISION: number = 3

/** The revision that a message was written by; absent: 1, since the first consoles refuse the member itself. */
export const contractRevisionSchema = z.optional(z.int().check(z.gte(1), z.lte(1_000_000)))

/** What an agent puts into every body that it writes. */
export const REVISION_MEMBER = CONTRACT_REVISION === 1 ? {} : { contractRevision: CONTRACT_REVISION }
