import { gpuOfVgpu } from '@/simulator/host/host-lookup'
import type { GuestSpec, HostSpec, NovaTypeSpec } from '@/simulator/host-tree/host-spec'
import { idleVgpus } from './host-use'
import { dismantle } from './operator-actions'
import { deleteServer } from './server-moves'
import { specOf, type WorldHost, type WorldView } from './world-host'

const ORPHANS_STAY_MS = 90_000

const guestOfOldType = (world: WorldView, spec: HostSpec): GuestSpec | undefined => {
  const configured = new Set(spec.nova.types.map((type) => type.typeId))
  return spec.guests.find((guest) => {
    const typeId = gpuOfVgpu(spec, guest.mdevs[0] ?? '')?.vgpu.typeId
    return typeId !== undefined && !configured.has(typeId) && world.watcher().isIdle(guest.uuid)
  })
}

const isSame = (a: NovaTypeSpec[], b: NovaTypeSpec[]): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Next step of a host whose types change: drain the old type, let its orphans be seen, take them away, change again. */
export const stepRetype = (world: WorldView, host: WorldHost): string | null => {
  const { story, plan } = host.fleet
  if (story.kind !== 'retype' || host.downUntilMs !== null || !world.watcher().isOpen(host)) return null
  const spec = specOf(host)
  // Its nova.conf is managed elsewhere.
  if (spec.nova.files !== host.fleet.spec.nova.files) return null
  const old = guestOfOldType(world, spec)
  if (old !== undefined) {
    deleteServer(world, host, old.uuid)
    host.retypedAtMs = world.nowMs()
    return `${old.nova?.serverName ?? old.name} left ${host.living.name}`
  }
  const orphan = idleVgpus(spec, plan).find((idle) => !idle.isWanted)
  const waitedMs = world.nowMs() - host.retypedAtMs
  if (orphan !== undefined) {
    if (waitedMs < ORPHANS_STAY_MS) return null
    dismantle(host, orphan)
    return `an orphan on ${host.living.name} was taken away`
  }
  if (waitedMs < story.everyMs) return null
  const first = host.fleet.spec.nova.types
  const types = isSame(spec.nova.types, first) ? story.others : first
  host.living.become({ ...spec, nova: { ...spec.nova, types } })
  host.retypedAtMs = world.nowMs()
  return `${host.living.name} was given ${types.map((type) => type.typeId).join(', ')}`
}
