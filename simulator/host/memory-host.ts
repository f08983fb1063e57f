import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { LivingHost } from './living-host'
import { readNovaConfigOf } from './read-nova-config'
import { startedNova } from './start-nova'

/** A host without files, for stories of many hours. */
export const createMemoryHost = (spec: HostSpec, world: { now: () => Date }): LivingHost => {
  let current = spec
  let listener = (): void => undefined
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
    restartNova: () => {
      current = startedNova(
        current,
        current.nova.files === null ? null : readNovaConfigOf(current),
        world.now().getTime(),
      )
      listener()
    },
    onNovaStart: (next) => {
      listener = next
    },
  }
}
