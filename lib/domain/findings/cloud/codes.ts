/** Findings about existing vGPUs that cannot be used until the problem is repaired. */
export const VGPUS_LOST_CODES: readonly string[] = ['vgpus-stranded', 'vfs-without-type']

/** A finding of the cloud replaces the host's own finding on the same pGPU if it has more facts. */
export const SUPERSEDED_BY: ReadonlyMap<string, string> = new Map([
  ['sriov-over-promise', 'placement-over-promises'],
])
