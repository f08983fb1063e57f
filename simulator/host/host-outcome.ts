import type { Errno } from '@/simulator/gpu-rules/make-vgpu'
import type { HostSpec } from '@/simulator/host-tree/host-spec'

/** A host after a change, or the errno with which the kernel refuses it. */
export type HostOutcome = { isDone: true; spec: HostSpec } | { isDone: false; errno: Errno; reason: string }

export const done = (spec: HostSpec): HostOutcome => ({ isDone: true, spec })
export const refused = (errno: Errno, reason: string): Extract<HostOutcome, { isDone: false }> => ({
  isDone: false,
  errno,
  reason,
})
