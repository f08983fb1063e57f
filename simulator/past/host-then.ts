import type { Vgpu } from '@/simulator/gpu-rules/gpu-state'
import { isSliced } from '@/simulator/host/host-lookup'
import type {
  GpuSpec,
  GuestSpec,
  HostSpec,
  MdevDefinitionSpec,
  NovaTypeSpec,
} from '@/simulator/host-tree/host-spec'
import { uuidFrom } from '@/simulator/random/uuid-from'
import type { FleetHost } from '@/simulator/world/fleet-host'
import type { HostPast, PastHolding, PastPoint } from './types'

/** From this release on Nova leaves definitions that start automatically. */
const DEFINING_RELEASE = 30
const FIRST_GROUP = 300

/** Who held something of a host right before a moment. */
export const heldThen = ({ holdings }: HostPast, at: number): PastHolding[] =>
  [...new Map(holdings.filter((row) => row.at < at).map((row) => [row.uuid, row])).values()].filter(
    ({ addresses }) => addresses.length > 0,
  )

/** How each card of a host was right before a moment, by address. */
export const cardsThen = ({ points }: HostPast, at: number): Map<string, PastPoint> =>
  new Map(points.filter((point) => point.at < at).map((point) => [point.address, point]))

/** nova.conf with other types on some cards. */
const typesThen = (spec: HostSpec, configured: ReadonlyMap<string, string>): NovaTypeSpec[] => {
  const slots = spec.gpus
    .filter(isSliced)
    .flatMap(({ address, slicing }) =>
      slicing.state.slots.map((slot) => ({ slot, typeId: configured.get(address) ?? null })),
    )
  const rest = slots.filter(({ typeId }) => typeId === null).map(({ slot }) => slot)
  const today = spec.nova.types.map((type) => ({
    ...type,
    addresses: type.addresses.length === 0 ? rest : type.addresses.filter((slot) => rest.includes(slot)),
  }))
  const others = [...new Set(configured.values())].map((typeId) => ({
    typeId,
    addresses: slots.filter((entry) => entry.typeId === typeId).map(({ slot }) => slot),
    mdevClass: null,
    maxInstances: null,
  }))
  return [...today, ...others]
}

type Made = Vgpu & { guest: PastHolding | null }

const madeOn = (gpu: GpuSpec, point: PastPoint | undefined, held: readonly PastHolding[]): Made[] => {
  const slots = gpu.slicing?.state.slots ?? []
  const used = held.flatMap((guest) =>
    guest.addresses.flatMap((address, index) =>
      address === gpu.address
        ? [{ guest, typeId: guest.typeIds[index] ?? '', name: `${guest.uuid} ${index}` }]
        : [],
    ),
  )
  const idle = Array.from({ length: (point?.spare ?? 0) + (point?.orphan ?? 0) }, (_, index) => ({
    guest: null,
    typeId: point?.typeId ?? '',
    name: `${gpu.address} ${index}`,
  }))
  return [...used, ...idle].map(({ guest, typeId, name }, index) => ({
    guest,
    typeId,
    uuid: uuidFrom(`vgpu then ${name}`),
    slot: gpu.slicing?.state.isOnePerSlot ? (slots[index] ?? '') : (slots[0] ?? ''),
    iommuGroup: FIRST_GROUP + index,
  }))
}

const guestThen = (guest: PastHolding, number: number): GuestSpec => ({
  uuid: guest.uuid,
  name: `instance-${(number + 0x200).toString(16).padStart(8, '0')}`,
  state: 'running',
  vcpus: 4,
  memoryMib: 16_384,
  mdevs: [],
  pciDevices: [],
  nova: {
    namespace: '1.1',
    serverName: guest.name,
    flavorName: guest.flavorName ?? '',
    projectId: guest.projectId ?? '',
    projectName: guest.projectName ?? '',
    userId: '',
    userName: '',
    createdAt: new Date(guest.at).toISOString().slice(0, 19).replace('T', ' '),
  },
})

/** The driver of vendor VFIO has no mdevs: a guest gets the VF itself. */
const withVfs = (guest: GuestSpec, vgpus: readonly Made[], gpus: readonly GpuSpec[]): GuestSpec => {
  const slots = gpus
    .filter(({ slicing }) => slicing?.interface === 'vendor-vfio')
    .flatMap(({ slicing }) => slicing?.state.slots ?? [])
  const own = vgpus.filter((vgpu) => vgpu.guest?.uuid === guest.uuid)
  const isVf = ({ slot }: Made): boolean => slots.includes(slot)
  return {
    ...guest,
    mdevs: own.filter((vgpu) => !isVf(vgpu)).map(({ uuid }) => uuid),
    pciDevices: own.filter(isVf).map(({ slot }) => slot),
  }
}

const definitionsOf = (spec: HostSpec, vgpus: readonly Vgpu[]): MdevDefinitionSpec[] =>
  Number.parseInt(spec.nova.version, 10) < DEFINING_RELEASE ||
  spec.gpus.some(({ slicing }) => slicing?.interface === 'vendor-vfio')
    ? []
    : vgpus.map(({ uuid, slot, typeId }) => ({ uuid, parent: slot, typeId, start: 'auto' as const }))

/**
 * A host as its files were right before a moment of its past. `configured`: the types that
 * nova.conf then gave cards in addition to today's, by address.
 */
export const hostThen = (
  { spec }: FleetHost,
  { past, at, configured }: { past: HostPast; at: number; configured: ReadonlyMap<string, string> },
): HostSpec => {
  const held = heldThen(past, at)
  const cards = cardsThen(past, at)
  const made = new Map(spec.gpus.map((gpu) => [gpu.address, madeOn(gpu, cards.get(gpu.address), held)]))
  const all = [...made.values()].flat()
  return {
    ...spec,
    gpus: spec.gpus.map((gpu) => {
      const { slicing } = gpu
      if (slicing === null) return gpu
      const vgpus = (made.get(gpu.address) ?? []).map(({ guest: _, ...vgpu }) => vgpu)
      return { ...gpu, slicing: { ...slicing, state: { ...slicing.state, vgpus } } }
    }),
    guests: held.map((guest, number) => withVfs(guestThen(guest, number), all, spec.gpus)),
    mdevDefinitions: definitionsOf(spec, all),
    nova: { ...spec.nova, types: configured.size === 0 ? spec.nova.types : typesThen(spec, configured) },
  }
}
