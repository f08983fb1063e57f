/** What takes vGPUs away that are there: nobody gets them until it is repaired. */
export const VGPUS_LOST_CODES: readonly string[] = ['vgpus-stranded', 'vfs-without-type']

/** Where the cloud's word tells the same better, the host's own finding on the same pGPU is left out. */
export const SUPERSEDED_BY: ReadonlyMap<string, string> = new Map([
  ['sriov-over-promise', 'placement-over-promises'],
])
