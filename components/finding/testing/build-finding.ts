import { findingTitle } from '@/lib/domain/findings/finding-title'
import type { TrackedFinding } from '@/lib/schemas/api/finding'

/** An open finding of a pGPU, with the given differences. */
export const buildFinding = (finding: Partial<TrackedFinding> = {}): TrackedFinding => ({
  id: 1,
  code: 'orphan-mdevs',
  title: findingTitle(finding.code ?? 'orphan-mdevs'),
  severity: 'warning',
  subject: { kind: 'pgpu', host: 'cmp-1', address: '0000:18:00.0' },
  sentence: '3 orphaned mdevs lock the GPU to T4-4C',
  consequence: 'New servers of the configured type find no host.',
  nextStep: 'Destroy and undefine them.',
  command: null,
  sourceToCorrect: 'hardware',
  state: 'open',
  openedAt: '2026-11-21T10:00:00.000Z',
  closedAt: null,
  reopenedCount: 0,
  unverifiedReason: null,
  acknowledgement: null,
  mute: null,
  ...finding,
})
