/** The most urgent first. The database has the same list, as for lib/schemas/states. */
export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]
