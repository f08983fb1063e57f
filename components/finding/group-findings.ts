import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { Severity } from '@/lib/schemas/severity'

export type FindingGroup = {
  code: string
  title: string
  /** Of its most urgent finding. */
  severity: Severity
  findings: readonly TrackedFinding[]
}

/** Findings of one code together, the most urgent and then the largest group first; within one the given order stays. */
export const groupFindings = (findings: readonly TrackedFinding[]): FindingGroup[] => {
  const byCode = new Map<string, TrackedFinding[]>()
  for (const finding of findings) {
    const group = byCode.get(finding.code)
    if (group === undefined) byCode.set(finding.code, [finding])
    else group.push(finding)
  }
  return [...byCode]
    .map(([code, group]): FindingGroup => {
      const title = group[0]?.title ?? code
      const severity = group.map((finding) => finding.severity).toSorted(compareSeverity)[0] ?? 'info'
      return { code, title, severity, findings: group }
    })
    .toSorted(
      (a, b) =>
        compareSeverity(a.severity, b.severity) ||
        b.findings.length - a.findings.length ||
        a.title.localeCompare(b.title, 'en'),
    )
}
