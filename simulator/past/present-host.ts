import { modelName } from '@/lib/domain/pgpu/model-names'
import { parseTypeName, shortTypeName } from '@/lib/domain/vgpu-type/type-name'
import {
  configuredType,
  gpuOfSlot,
  gpuOfVgpu,
  holderOf,
  isSliced,
  type SlicedGpu,
} from '@/simulator/host/host-lookup'
import type { GpuSpec, GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { idleVgpus } from '@/simulator/world/host-use'
import type { PastGuest } from './types'

/** A vGPU type of a card, or the whole card (`typeId` null). */
export type CardType = { typeId: string | null; typeName: string | null; capacity: number }

/** A card as its host's agent reports it when the story begins. */
export type PresentCard = {
  address: string
  model: string
  framework: string
  /** Null: it has no type yet and is not configured for passthrough either. */
  type: CardType | null
  used: number
  spare: number
  orphan: number
  /** Every type that the driver knows for it. */
  types: CardType[]
}

/** `since`: when Nova made the server. */
export type PresentGuest = PastGuest & { since: number }

export type PresentHost = {
  name: string
  cards: PresentCard[]
  guests: PresentGuest[]
  /** Who has servers here; a name that is listed twice has more. */
  projects: FleetHost['projects']
}

const frameworkOf = (gpu: GpuSpec): string => {
  if (gpu.slicing === null) return gpu.driver === 'vfio-pci' ? 'passthrough' : 'none'
  if (gpu.slicing.interface === 'vendor-vfio') return 'vendor-vfio'
  return gpu.slicing.state.isOnePerSlot ? 'mdev-sriov' : 'mdev'
}

/** NVIDIA's names without their maker; others' as they are. */
const nameOf = (name: string | null): string | null =>
  name === null || parseTypeName(shortTypeName(name)) === null ? name : shortTypeName(name)

const typesOf = ({ slicing }: GpuSpec): CardType[] =>
  (slicing?.types ?? []).map(({ typeId, name }) => ({
    typeId,
    typeName: nameOf(name) ?? typeId,
    capacity: slicing?.state.types.find((type) => type.typeId === typeId)?.maxInstance ?? 0,
  }))

/** In MIG mode the capacity of a card is what exists and what the instances of the type can still hold. */
const migCapacity = ({ slicing: { state } }: SlicedGpu, { typeId }: CardType): number | null => {
  const profile = state.types.find((type) => type.typeId === typeId)?.migProfile ?? null
  if (profile === null || state.gpuInstances === null) return null
  const own = state.gpuInstances.filter((instance) => instance.profile === profile)
  return state.vgpus.length + own.length - state.vgpus.filter((vgpu) => vgpu.typeId === typeId).length
}

/** The type of what exists, else the one that nova-compute works with. */
const typeOf = (spec: HostSpec, gpu: GpuSpec): CardType | null => {
  if (!isSliced(gpu)) return gpu.driver === 'vfio-pci' ? { typeId: null, typeName: null, capacity: 1 } : null
  const { interface: way, state } = gpu.slicing
  const configured = way === 'mdev' ? configuredType(spec, state.slots[0] ?? '') : null
  const typeId = state.vgpus[0]?.typeId ?? configured
  const type = typesOf(gpu).find((entry) => entry.typeId === typeId)
  return type === undefined ? null : { ...type, capacity: migCapacity(gpu, type) ?? type.capacity }
}

const presentCard = ({ spec, plan }: FleetHost, gpu: GpuSpec): PresentCard => {
  const idle = idleVgpus(spec, plan).filter((vgpu) => vgpu.gpu.address === gpu.address)
  const isHeld = spec.guests.some((guest) => guest.pciDevices.includes(gpu.address))
  const used = isSliced(gpu)
    ? gpu.slicing.state.vgpus.filter((vgpu) => holderOf(spec, gpu, vgpu) !== null).length
    : Number(isHeld)
  const { ids } = gpu
  const isVirtual = gpu.slicing?.isVirtual === true
  return {
    address: gpu.address,
    model: modelName(
      {
        address: gpu.address,
        modelName: gpu.modelName,
        vendorId: isVirtual ? null : ids.vendor,
        deviceId: ids.device,
        subsystemVendorId: ids.subsystemVendor,
        subsystemDeviceId: ids.subsystemDevice,
      },
      null,
    ),
    framework: frameworkOf(gpu),
    type: typeOf(spec, gpu),
    used,
    spare: idle.filter(({ isWanted }) => isWanted).length,
    orphan: idle.filter(({ isWanted }) => !isWanted).length,
    types: typesOf(gpu),
  }
}

type Held = { address: string; typeId: string }

const ofDevice = (spec: HostSpec, address: string): Held[] => {
  if (spec.gpus.some((gpu) => gpu.address === address)) return [{ address, typeId: '' }]
  const gpu = gpuOfSlot(spec, address)
  const vgpu = gpu?.slicing.state.vgpus.find(({ slot }) => slot === address)
  return gpu === null || vgpu === undefined ? [] : [{ address: gpu.address, typeId: vgpu.typeId }]
}

const heldBy = (spec: HostSpec, guest: GuestSpec): Held[] => [
  ...guest.mdevs.flatMap((uuid) => {
    const found = gpuOfVgpu(spec, uuid)
    return found === null ? [] : [{ address: found.gpu.address, typeId: found.vgpu.typeId }]
  }),
  ...guest.pciDevices.flatMap((address) => ofDevice(spec, address)),
]

const presentGuest = (spec: HostSpec, guest: GuestSpec): PresentGuest[] => {
  const held = heldBy(spec, guest)
  if (held.length === 0) return []
  const { nova } = guest
  return [
    {
      uuid: guest.uuid,
      name: nova?.serverName ?? guest.name,
      flavorName: nova?.flavorName ?? null,
      projectId: nova?.projectId ?? null,
      projectName: nova?.projectName ?? null,
      addresses: held.map(({ address }) => address),
      typeIds: held.map(({ typeId }) => typeId),
      since: nova === null ? 0 : Date.parse(`${nova.createdAt.replace(' ', 'T')}Z`),
    },
  ]
}

/** What the agent of a host will report when the story begins, as far as the history keeps it. */
export const presentHost = (host: FleetHost): PresentHost => ({
  name: host.spec.name,
  cards: host.spec.gpus.map((gpu) => presentCard(host, gpu)),
  guests: host.spec.guests.flatMap((guest) => presentGuest(host.spec, guest)),
  projects: host.projects,
})
