import { SEVERITIES, type Severity } from '@/lib/schemas/severity'
import { formatNoun } from '@/lib/util/format'

const NOUNS: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' }

/** "2 errors, 1 note". */
export const severityCounts = (counts: Readonly<Record<Severity, number>>): string =>
  SEVERITIES.flatMap((severity) =>
    counts[severity] === 0 ? [] : [formatNoun(counts[severity], NOUNS[severity])],
  ).join(', ')
