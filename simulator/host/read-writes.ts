import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { HostSpec, MdevDefinitionSpec, NovaFileSpec } from '@/simulator/host-tree/host-spec'
import { definitionsFolder } from '@/simulator/host-tree/render-libvirt'
import { RESTART_TRIGGER } from '@/simulator/host-tree/render-nova-process'
import {
  devicePath,
  loadedDrivers,
  PROBE_TRIGGER,
  SRIOV_TRIGGER,
  unbindTrigger,
} from '@/simulator/host-tree/render-pci'
import { slotPath, vendorTypeNumber } from '@/simulator/host-tree/render-slicing'
import { isSliced, type SlicedGpu } from './host-lookup'
import { changedNovaFiles } from './nova-files'

/** Something that was written into a file of the tree since the last look. */
export type HostWrite =
  | { kind: 'create'; at: string; slot: string; typeId: string; text: string }
  | { kind: 'remove'; at: string; uuid: string; text: string }
  | { kind: 'vendor-type'; at: string; slot: string; text: string }
  | { kind: 'driver-override'; at: string; address: string; text: string }
  | { kind: 'unbind'; at: string; driver: string; text: string }
  | { kind: 'probe'; at: string; text: string }
  | { kind: 'sriov'; at: string; text: string }
  | { kind: 'undefined'; uuid: string }
  | { kind: 'defined'; definition: MdevDefinitionSpec }
  | { kind: 'nova-files'; files: NovaFileSpec[] }
  | { kind: 'nova-restart'; at: string }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const text = (file: string): string => readFileSync(file, 'utf8').trim()

const mdevWrites = (root: string, gpu: SlicedGpu): HostWrite[] => {
  const { state, types } = gpu.slicing
  const found: HostWrite[] = []
  for (const slot of state.slots) {
    for (const { typeId } of types) {
      const at = `${slotPath(gpu, slot)}/mdev_supported_types/${typeId}/create`
      const file = path.join(root, at)
      if (sizeOf(file) > 0) found.push({ kind: 'create', at, slot, typeId, text: text(file) })
    }
  }
  for (const vgpu of state.vgpus) {
    const at = `${slotPath(gpu, vgpu.slot)}/${vgpu.uuid}/remove`
    const file = path.join(root, at)
    if (sizeOf(file) > 0) found.push({ kind: 'remove', at, uuid: vgpu.uuid, text: text(file) })
  }
  return found
}

/** An empty file is being written. */
const vendorWrites = (root: string, gpu: SlicedGpu): HostWrite[] =>
  gpu.slicing.state.slots.flatMap((slot): HostWrite[] => {
    const at = `${slotPath(gpu, slot)}/nvidia/current_vgpu_type`
    const vgpu = gpu.slicing.state.vgpus.find((candidate) => candidate.slot === slot)
    const written = text(path.join(root, at))
    const isSame = written === '' || written === (vgpu === undefined ? '0' : vendorTypeNumber(vgpu.typeId))
    return isSame ? [] : [{ kind: 'vendor-type', at, slot, text: written }]
  })

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Files that were written to mdevctl's folder; one that is not a definition is ignored. */
const definedWrites = (root: string, spec: HostSpec): HostWrite[] => {
  const folder = path.join(root, definitionsFolder(spec.nova.deployment))
  const known = new Set(spec.mdevDefinitions.map(({ parent, uuid }) => `${parent}/${uuid}`))
  const added = namesIn(folder).flatMap((parent) =>
    namesIn(path.join(folder, parent))
      .filter((uuid) => UUID.test(uuid) && !known.has(`${parent}/${uuid}`))
      .map((uuid) => ({ parent, uuid })),
  )
  return added.flatMap(({ parent, uuid }): HostWrite[] => {
    const [, typeId] = /"mdev_type"\s*:\s*"([^"]+)"/.exec(text(path.join(folder, parent, uuid))) ?? []
    const start = /"start"\s*:\s*"auto"/.test(text(path.join(folder, parent, uuid))) ? 'auto' : 'manual'
    return typeId === undefined ? [] : [{ kind: 'defined', definition: { uuid, parent, typeId, start } }]
  })
}

/** nova.conf first: a restart reads what was written before it. */
const novaWrites = (root: string, spec: HostSpec): HostWrite[] => {
  if (spec.nova.process === null) return []
  const files = changedNovaFiles(root, spec)
  return [
    ...(files === null ? [] : [{ kind: 'nova-files' as const, files }]),
    ...(sizeOf(path.join(root, RESTART_TRIGGER)) > 0
      ? [{ kind: 'nova-restart' as const, at: RESTART_TRIGGER }]
      : []),
  ]
}

/** An override first: the driver that a probe finds goes by it. An empty file is being written. */
const driverWrites = (root: string, spec: HostSpec): HostWrite[] => {
  const devices = [...spec.gpus.filter((gpu) => gpu.slicing?.isVirtual !== true), ...spec.otherDevices]
  const overrides = devices.flatMap((device): HostWrite[] => {
    const at = `${devicePath(device)}/driver_override`
    const file = path.join(root, at)
    const raw = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const isSame = raw === '' || raw.trim() === (device.driverOverride ?? '(null)')
    return isSame ? [] : [{ kind: 'driver-override', at, address: device.address, text: raw.trim() }]
  })
  const unbinds = loadedDrivers(spec).flatMap((driver): HostWrite[] => {
    const at = unbindTrigger(driver)
    const file = path.join(root, at)
    return sizeOf(file) > 0 ? [{ kind: 'unbind', at, driver, text: text(file) }] : []
  })
  const probe = path.join(root, PROBE_TRIGGER)
  return [
    ...overrides,
    ...unbinds,
    ...(sizeOf(probe) > 0 ? [{ kind: 'probe' as const, at: PROBE_TRIGGER, text: text(probe) }] : []),
  ]
}

/** What `sriov-manage` was called with; an empty file is being written. */
const sriovWrites = (root: string): HostWrite[] => {
  const file = path.join(root, SRIOV_TRIGGER)
  return sizeOf(file) === 0 ? [] : [{ kind: 'sriov', at: SRIOV_TRIGGER, text: text(file) }]
}

/** Files that can be written are empty (`create`, `remove`) or hold what the host is in; everything else is a write. */
export const readWrites = (root: string, spec: HostSpec): HostWrite[] => [
  ...spec.gpus
    .filter(isSliced)
    .flatMap((gpu) => (gpu.slicing.interface === 'mdev' ? mdevWrites(root, gpu) : vendorWrites(root, gpu))),
  ...spec.mdevDefinitions
    .filter(
      ({ parent, uuid }) =>
        !existsSync(path.join(root, definitionsFolder(spec.nova.deployment), parent, uuid)),
    )
    .map(({ uuid }): HostWrite => ({ kind: 'undefined', uuid })),
  ...definedWrites(root, spec),
  ...driverWrites(root, spec),
  ...sriovWrites(root),
  ...novaWrites(root, spec),
]
