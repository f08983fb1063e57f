import type { ComputeService } from './types'

/** Whether Nova treats the service as dead. `disabled` alone is not down: its nova-compute still works. */
export const isComputeDown = ({ state, isForcedDown }: ComputeService): boolean =>
  isForcedDown || state === 'down'
