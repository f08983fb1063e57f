import { buildGpu, IOMMU_GROUP_STRIDE } from '@/simulator/gpu-models/build-gpu'
import type { Vgpu } from '@/simulator/gpu-rules/gpu-state'
import type { GpuSpec } from '@/simulator/host-tree/host-spec'
import type { LabHost } from './host-file'
import { addressOfDevice, type Hypervisor } from './hypervisor-file'

const FIRST_IOMMU_GROUP = 60
const FIRST_MDEV_GROUP = 1000

type Card = LabHost['cards'][number]

const upstreamOf = (address: string): string[] => {
  const bus = (Number.parseInt(address.slice(5, 7), 16) - 1).toString(16).padStart(2, '0')
  return [`pci0000:${bus}`, `0000:${bus}:01.0`]
}

const vgpusOf = ({ mdevs }: Hypervisor): Vgpu[] =>
  mdevs.flatMap((mdev, index) =>
    mdev.active
      ? [
          {
            uuid: mdev.uuid,
            typeId: mdev.type_id,
            slot: addressOfDevice(mdev.parent),
            iommuGroup: FIRST_MDEV_GROUP + index,
          },
        ]
      : [],
  )

/** A vGPU of vendor VFIO is its VF: it has the VF's IOMMU group, and no uuid that the host shows. */
const typedVfs = ({ vfTypes }: Card): Vgpu[] =>
  Object.entries(vfTypes).map(([slot, typeId]) => ({ uuid: slot, typeId, slot, iommuGroup: 0 }))

/** Under another driver than NVIDIA's, or none: neither virtual functions nor types. */
const unslicedUnder = (driver: 'vfio-pci' | null, gpu: GpuSpec): GpuSpec => ({
  ...gpu,
  driver,
  modelName: null,
  sriov: gpu.sriov === null ? null : { ...gpu.sriov, enabledVfs: 0 },
  slicing: null,
})

const buildCard = (card: Card, index: number): GpuSpec => {
  const gpu = buildGpu({
    model: card.model,
    address: card.address,
    upstream: upstreamOf(card.address),
    numaNode: card.numaNode,
    iommuGroup: FIRST_IOMMU_GROUP + index * IOMMU_GROUP_STRIDE,
    interface: card.interface,
    vgpus: typedVfs(card),
    ...(card.enabledVfs === null ? {} : { enabledVfs: card.enabledVfs }),
  })
  if (card.isWhole) return unslicedUnder('vfio-pci', gpu)
  return card.hasDriver ? gpu : unslicedUnder(null, gpu)
}

/** The host's cards with the mdevs that are active on them. */
export const buildCards = (host: LabHost, hypervisor: Hypervisor): GpuSpec[] => {
  const vgpus = vgpusOf(hypervisor)
  return host.cards.map((card, index) => {
    const gpu = buildCard(card, index)
    const { slicing } = gpu
    if (slicing === null || slicing.interface === 'vendor-vfio') return gpu
    const own = vgpus.filter(({ slot }) => slicing.state.slots.includes(slot))
    return { ...gpu, slicing: { ...slicing, state: { ...slicing.state, vgpus: own } } }
  })
}

/** The same cards for nova-compute's fake libvirt (`lab/compute/hardware.py`). */
export const describeHardware = (host: LabHost): unknown => ({
  cpus: host.cpus,
  memoryMib: host.memoryMib,
  diskGib: host.diskGib,
  cards: host.cards
    .map(buildCard)
    .map(({ address, driver, numaNode, iommuGroup, ids, modelName, slicing, sriov }) => ({
      address,
      hasSriov: sriov !== null,
      vfs: slicing?.interface === 'vendor-vfio' ? slicing.state.slots : [],
      isWhole: driver === 'vfio-pci',
      numaNode,
      iommuGroup,
      deviceId: ids.device,
      modelName,
      slots: slicing?.interface === 'mdev' ? slicing.state.slots : [],
      isOnePerSlot: slicing?.state.isOnePerSlot ?? false,
      types: (slicing?.types ?? []).map(({ typeId, name }) => {
        const rule = slicing?.state.types.find((type) => type.typeId === typeId)
        return { typeId, name, framebufferMib: rule?.framebufferMib, maxInstance: rule?.maxInstance }
      }),
    })),
})
