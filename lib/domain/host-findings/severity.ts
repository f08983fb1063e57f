import type { HostFinding } from '@/lib/domain/pgpu/types'
import { SEVERITIES, type Severity } from '@/lib/schemas/severity'

/** Negative when a is more urgent than b. */
export const compareSeverity = (a: Severity, b: Severity): number =>
  SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b)

/** The finding for a table's row: the first of the most urgent; null when there is none. */
export const worstFinding = (findings: readonly HostFinding[]): HostFinding | null =>
  findings.toSorted((a, b) => compareSeverity(a.severity, b.severity))[0] ?? null
