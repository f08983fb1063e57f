/**
 * NVIDIA's vGPU releases by the branch of their drivers. Source: docs.nvidia.com/vgpu, release notes of each branch, as of
 * 2026-11-27.
 */
const RELEASES: Readonly<Record<string, number>> = {
  450: 11,
  460: 12,
  470: 13,
  510: 14,
  525: 15,
  535: 16,
  550: 17,
  570: 18,
  580: 19,
  595: 20,
}

const NEWEST_BRANCH = Math.max(...Object.keys(RELEASES).map(Number))

/** The newest release of the table, `vGPU 20 (595)`. */
export const NEWEST_RELEASE = `vGPU ${RELEASES[NEWEST_BRANCH]} (${NEWEST_BRANCH})`

/** Branch of a driver's version: `550.90.05` → `550`; null: it is not NVIDIA's form. */
export const driverBranch = (version: string): string | null => /^(\d{3,4})\.\d+/.exec(version)?.[1] ?? null

/** `newer`: a branch after the last of the table; `none`: one in between that has no vGPU release. */
export type VgpuRelease = { kind: 'known'; release: number } | { kind: 'newer' } | { kind: 'none' }

export const vgpuRelease = (branch: string): VgpuRelease => {
  const release = RELEASES[branch]
  if (release !== undefined) return { kind: 'known', release }
  return { kind: Number(branch) > NEWEST_BRANCH ? 'newer' : 'none' }
}

/** `vGPU 17 (550)`; a branch that the table does not have is named as such. */
export const vgpuReleaseLabel = (branch: string): string => {
  const found = vgpuRelease(branch)
  if (found.kind === 'known') return `vGPU ${found.release} (${branch})`
  return found.kind === 'newer' ? `${branch}, newer than ${NEWEST_RELEASE}` : branch
}
