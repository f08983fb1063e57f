/** NVIDIA's vGPU releases by the branch of their drivers. Source: NVIDIA vGPU software lifecycle, as of 2026-11. */
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
}

/** Branch of a driver's version: `550.90.05` → `550`; null: it is not NVIDIA's form. */
export const driverBranch = (version: string): string | null => /^(\d{3})\.\d+/.exec(version)?.[1] ?? null

/** `vGPU 17 (550)`; `550`, where the release of a branch is not known. */
export const vgpuReleaseWords = (branch: string): string => {
  const release = RELEASES[branch]
  return release === undefined ? branch : `vGPU ${release} (${branch})`
}
