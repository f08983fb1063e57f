import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { Severity } from '@/lib/schemas/severity'

export type FindingGroup<Row> = {
  code: string
  title: string
  /** Of its most urgent finding. */
  severity: Severity
  findings: readonly Row[]
}

/** Findings of one code together, the most urgent and then the largest group first. Within a group the order is kept. */
export const groupFindings = <Row extends { code: string; title: string; severity: Severity }>(
  findings: readonly Row[],
): FindingGroup<Row>[] => {
  const byCode = new Map<string, Row[]>()
  for (const finding of findings) {
    const group = byCode.get(finding.code)
    if (group === undefined) byCode.set(finding.code, [finding])
    else group.push(finding)
  }
  return [...byCode]
    .map(([code, group]): FindingGroup<Row> => {
      const severity = group.map((finding) => finding.severity).toSorted(compareSeverity)[0] ?? 'info'
      return { code, title: group[0]?.title ?? code, severity, findings: group }
    })
    .toSorted(
      (a, b) =>
        compareSeverity(a.severity, b.severity) ||
        b.findings.length - a.findings.length ||
        a.title.localeCompare(b.title, 'en'),
    )
}

/** The first rows of every group, equally many where a group has them, at most `limit` in all; at least one of each. */
export const firstOfGroups = <Row>(groups: readonly FindingGroup<Row>[], limit: number): Row[] => {
  let each = 1
  const sizes = groups.map(({ findings }) => findings.length)
  const total = (max: number): number => sizes.reduce((sum, size) => sum + Math.min(size, max), 0)
  while (each < Math.max(...sizes) && total(each + 1) <= limit) each += 1
  return groups.flatMap(({ findings }) => findings.slice(0, each))
}
