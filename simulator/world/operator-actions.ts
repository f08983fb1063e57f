import { removeMdev, setVendorType, undefineMdev } from '@/simulator/host/change-vgpus'
import { rebooted } from '@/simulator/host/reboot'
import { guestStateFiles } from '@/simulator/host-tree/guest-paths'
import { liveXml } from '@/simulator/host-tree/guest-xml'
import type { ExtraEntry } from '@/simulator/host-tree/host-spec'
import { hostCapacity, type IdleVgpu, idleVgpus } from './host-use'
import { livelyHosts, specOf, type WorldAction, type WorldHost } from './world-host'

/** Destroys and undefines an mdev, or sets a VF back to 0. */
export const dismantle = (host: WorldHost, idle: IdleVgpu): void => {
  if (idle.gpu.slicing.interface === 'mdev') {
    host.living.attempt(removeMdev(specOf(host), idle.uuid))
    host.living.become(undefineMdev(specOf(host), idle.uuid))
  } else host.living.attempt(setVendorType(specOf(host), { slot: idle.slot, typeNumber: '0', uuid: '' }))
}

/** Without this every card would end up with all its vGPUs made, since Nova never removes one. */
export const cleanSpares: WorldAction = (world) => {
  const host = world.random.pick(livelyHosts(world))
  if (host === undefined) return null
  // The types of VFs are meant to stay.
  const spares = idleVgpus(specOf(host), host.fleet.plan).filter(
    ({ isWanted, gpu }) => isWanted && gpu.slicing.interface === 'mdev',
  )
  if (spares.length <= hostCapacity(specOf(host), host.fleet.plan) * 0.08) return null
  const idle = world.random.pick(spares)
  if (idle === undefined) return null
  dismantle(host, idle)
  return `a spare vGPU on ${host.living.name} was taken away`
}

const REBOOT_MS = 25_000

export const reboot: WorldAction = (world) => {
  const host = world.random.pick(
    livelyHosts(world).filter(({ fleet }) => fleet.story.kind === 'churn' && fleet.story.canReboot),
  )
  if (host === undefined) return null
  host.downUntilMs = world.nowMs() + REBOOT_MS
  world.later(REBOOT_MS, () => {
    host.downUntilMs = null
    host.living.become(rebooted(specOf(host)))
    host.living.restartNova()
  })
  return `${host.living.name} reboots`
}

const TORN_MS = 6000

/** A live XML that is only half there for a moment, as a scan in the middle of libvirt's write finds it. */
export const tearXml: WorldAction = (world) => {
  const host = world.random.pick(
    livelyHosts(world).filter(({ fleet }) => fleet.story.kind === 'churn' && fleet.story.canHaveTornXml),
  )
  const guest = host === undefined ? undefined : specOf(host).guests.find(({ state }) => state === 'running')
  if (host === undefined || guest === undefined) return null
  const before = specOf(host).extras
  const folder = guestStateFiles(specOf(host).nova.deployment).live
  const torn: ExtraEntry = {
    kind: 'file',
    path: `${folder}/${guest.name}.xml`,
    content: liveXml(guest).slice(0, 900),
    mode: 0o600,
  }
  host.living.become({ ...specOf(host), extras: [...before, torn] })
  world.later(TORN_MS, () => {
    const extras = specOf(host).extras.filter((extra) => extra !== torn)
    host.living.become({ ...specOf(host), extras })
  })
  return `the live XML of ${guest.name} on ${host.living.name} is half written`
}
