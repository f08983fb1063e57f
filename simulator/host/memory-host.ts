import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { LivingHost } from './living-host'

/** A host without files, for stories of many hours. */
export const createMemoryHost = (spec: HostSpec): LivingHost => {
  let current = spec
  return {
    name: spec.name,
    root: '/',
    spec: () => current,
    become: (next) => {
      current = next
    },
    attempt: (outcome) => {
      if (outcome.isDone) current = outcome.spec
      return outcome.isDone
    },
    applyWrites: () => 0,
  }
}
