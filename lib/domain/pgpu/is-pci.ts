import type { Pgpu } from './types'

/** Nova hands the card, or its VFs, out as PCI devices by `device_spec`, and has no say on their vGPU type. */
export const isPci = ({ framework }: Pick<Pgpu, 'framework'>): boolean =>
  framework === 'passthrough' || framework === 'vendor-vfio'
