import { configuredType, gpuOfVgpu } from '@/simulator/host/host-lookup'
import { spawnServer } from '@/simulator/host/spawn-server'
import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { finishMigration, startMigration } from '@/simulator/world/server-moves'
import { specOf, type WorldHost } from '@/simulator/world/world-host'
import type { Server } from '../nova/nova-state'
import { novaRelease } from './compute-host'
import { type Destination, findDestinations } from './find-destinations'
import { touch } from './follow-servers'
import { addMigration, guestOf, hostNamed, isGone, type OperationContext } from './operation-context'

const CHECK_MS = 1000
const COPY_MS = 4000

const isSinceVersion = (version: string, minimum: number[]): boolean => {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, wanted] of minimum.entries()) {
    const part = parts[index] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}

/** Both ends of a move of mdevs (nova/virt/libvirt/driver.py, MIN_LIBVIRT_MDEV_LIVE_MIGRATION and its kin). */
const canMoveMdevs = (spec: HostSpec): boolean =>
  novaRelease(spec) >= 29 &&
  isSinceVersion(spec.system.libvirtVersion, [8, 6, 0]) &&
  isSinceVersion(spec.system.qemuVersion, [8, 1, 0])

const marksVfs = ({ nova }: HostSpec): boolean =>
  (nova.sections.pci ?? []).some((line) => /^device_spec\b.*"live_migratable":\s*"yes"/.test(line))

/** VFs of vendor VFIO move since 2025.1 where both ends mark them; a whole card never does. */
const canMoveVf = (source: WorldHost, [device]: string[], { host, pci }: Destination): boolean => {
  const [from, to] = [specOf(source), specOf(host)]
  const held = from.gpus
    .flatMap(({ slicing }) => slicing?.state.vgpus ?? [])
    .find(({ slot }) => slot === device)
  return (
    held !== undefined &&
    pci !== null &&
    pci.kind !== 'whole' &&
    pci.typeId === held.typeId &&
    [from, to].every((spec) => novaRelease(spec) >= 31 && marksVfs(spec))
  )
}

/** MigrationPreCheckError: the target has to make the very type. */
const passesCheck = (source: WorldHost, guest: GuestSpec, destination: Destination): boolean => {
  if (guest.pciDevices.length > 0) return canMoveVf(source, guest.pciDevices, destination)
  if (guest.mdevs.length === 0) return true
  const target = specOf(destination.host)
  const types = guest.mdevs.map((uuid) => gpuOfVgpu(specOf(source), uuid)?.vgpu.typeId)
  return (
    canMoveMdevs(specOf(source)) &&
    canMoveMdevs(target) &&
    types.every((typeId) => destination.slots.some((slot) => configuredType(target, slot) === typeId))
  )
}

const begin = (context: OperationContext, server: Server, wanted: string | null): boolean => {
  const { cloud, view } = context
  const source = hostNamed(context, server.host)
  const guest = guestOf(source, server)
  if (source === undefined || guest === undefined) return false
  const request = { flavor: server.flavor, wanted, except: server.host }
  for (const destination of findDestinations({ cloud, view }, request)) {
    if (!passesCheck(source, guest, destination)) continue
    const isStarted = startMigration(view, {
      source,
      target: destination.host,
      guest,
      spawn: (spec, arriving) => spawnServer(spec, arriving, { ...destination, newUuid: view.random.uuid }),
    })
    if (!isStarted) continue
    view.later(COPY_MS, () => finishMigration(view, { source, target: destination.host, uuid: guest.uuid }))
    return true
  }
  return false
}

/** Live migration; a server that no host takes stays where it is, and the migration ends in error. */
export const moveLive = (context: OperationContext, server: Server, wanted: string | null): void => {
  const { cloud, view } = context
  touch(cloud, server, { status: 'MIGRATING', taskState: 'migrating' })
  view.later(CHECK_MS, () => {
    if (isGone(context, server) || begin(context, server, wanted)) return
    addMigration(context, server, { type: 'live-migration', status: 'error', target: wanted })
    touch(cloud, server, { status: 'ACTIVE', taskState: null })
  })
}
