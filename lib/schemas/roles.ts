/** The database has the same list, as for lib/schemas/states. */
export const ROLES = ['admin', 'reader', 'tenant'] as const
export type Role = (typeof ROLES)[number]
