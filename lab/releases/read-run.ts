import type { TestCounts } from '@/scripts/testing/count-reports'

/** The result of `lab/ci.sh` on one release. */
export type ReleaseRun =
  | { kind: 'skipped'; reason: string }
  | { kind: 'finished'; nova: string | null; counts: TestCounts }

/** Reads the result from the output of `lab/ci.sh` and the counts of its tests. */
export const readRun = ({ output, counts }: { output: string; counts: TestCounts }): ReleaseRun => {
  const lines = output.split('\n')
  // lab/ci.sh writes this line directly after the reason.
  const skipped = lines.findIndex((line) => line.startsWith('lab: SKIPPED; '))
  if (skipped !== -1)
    return { kind: 'skipped', reason: (lines[skipped - 1] ?? '').replace(/^lab: (SKIPPED: )?/, '') }
  const nova = /^lab: LAB_RELEASE=\S+: nova ([^,\s]+)/m.exec(output)?.[1] ?? null
  return { kind: 'finished', nova, counts }
}
