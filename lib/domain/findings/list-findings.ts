import type { HostDescription } from '@/lib/domain/host/types'
import { compareSeverity } from '@/lib/domain/host-findings/severity'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import type { Severity } from '@/lib/schemas/severity'

/** A finding without its words: enough to count and to find it. `pgpuAddress` null: it is about the host. */
export type FindingMark = { code: string; severity: Severity; pgpuAddress: string | null }

/** Every finding of a host and of its pGPUs, most urgent first; what is stored with the host so that a fleet can be counted. */
export const listFindings = ({
  findings,
  pgpus,
}: Pick<HostDescription, 'findings' | 'pgpus'>): FindingMark[] => {
  const mark = (pgpuAddress: string | null) => (finding: HostFinding) => ({
    code: finding.code,
    severity: finding.severity,
    pgpuAddress,
  })
  return [
    ...findings.map(mark(null)),
    ...pgpus.flatMap((pgpu) => pgpu.findings.map(mark(pgpu.address))),
  ].toSorted((a, b) => compareSeverity(a.severity, b.severity))
}
