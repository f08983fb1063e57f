/** What a finding is about. The database has the same list, as for lib/schemas/states. */
export const SUBJECT_KINDS = [
  'cloud',
  'host',
  'pgpu',
  'provider',
  'server',
  'flavor',
  'limit',
  'trait',
  'aggregate',
] as const
