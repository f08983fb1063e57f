import { FindingsList } from '@/components/finding/findings-list'
import { TrackedList } from '@/components/finding/tracked-list'
import { untrackedFindings } from '@/components/finding/untracked-findings'
import { Panel } from '@/components/ui/panel'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'

/** The findings of a pGPU: those of the rounds, and the newer ones from the host's report. */
export const GpuFindingsPanel = ({
  gpu,
  sources,
  cloud,
}: {
  gpu: GpuDetail
  sources: GpuSources | undefined
  cloud: string | null
}) => {
  const tracked = sources?.findings ?? []
  const untracked = untrackedFindings(gpu.findings, tracked)
  if (tracked.length + untracked.length === 0) return null
  return (
    <Panel title="Findings">
      <TrackedList findings={tracked} cloud={cloud} />
      {tracked.length > 0 && untracked.length > 0 ? (
        <p className="mt-3 mb-1 text-ink3 text-small">Reported by the host since the last round</p>
      ) : null}
      <FindingsList findings={untracked} />
    </Panel>
  )
}
