import { availableInstances, creatableTypes } from '@/simulator/gpu-rules/availability'
import type { Vgpu } from '@/simulator/gpu-rules/gpu-state'
import type { DriverType, GpuSpec, SlicingSpec } from './host-spec'
import { devicePath } from './render-pci'
import { addAttribute, addDirectory, addFile, addLink, addTrigger, type Tree } from './tree'

/** Directory of a slot: the GPU itself, a VF next to it, or a virtual device such as mtty. */
export const slotPath = (gpu: GpuSpec, slot: string): string =>
  gpu.slicing?.isVirtual === true
    ? `/sys/devices/virtual/${slot}/${slot}`
    : devicePath({ upstream: gpu.upstream, address: slot })

const renderType = (tree: Tree, at: string, type: DriverType, available: number): void => {
  addTrigger(tree, `${at}/create`)
  addAttribute(tree, `${at}/available_instances`, available)
  addAttribute(tree, `${at}/device_api`, 'vfio-pci')
  if (type.name !== null) addAttribute(tree, `${at}/name`, type.name)
  if (type.description !== null) addAttribute(tree, `${at}/description`, type.description)
  addDirectory(tree, `${at}/devices`)
}

const renderMdev = (tree: Tree, parent: string, vgpu: Vgpu, isNvidia: boolean): void => {
  const at = `${parent}/${vgpu.uuid}`
  const typePath = `${parent}/mdev_supported_types/${vgpu.typeId}`
  addLink(tree, `${at}/mdev_type`, typePath)
  addTrigger(tree, `${at}/remove`)
  addLink(tree, `${at}/subsystem`, '/sys/bus/mdev')
  addLink(tree, `${at}/driver`, '/sys/bus/mdev/drivers/vfio_mdev')
  addLink(tree, `${at}/iommu_group`, `/sys/kernel/iommu_groups/${vgpu.iommuGroup}`)
  addLink(tree, `/sys/kernel/iommu_groups/${vgpu.iommuGroup}/devices/${vgpu.uuid}`, at)
  if (isNvidia) addAttribute(tree, `${at}/nvidia/vgpu_params`, '', 0o644)
  addLink(tree, `${typePath}/devices/${vgpu.uuid}`, at)
  addLink(tree, `/sys/bus/mdev/devices/${vgpu.uuid}`, at)
}

const renderMdevSlots = (tree: Tree, gpu: GpuSpec, slicing: SlicingSpec): void => {
  const { state, types } = slicing
  for (const slot of state.slots) {
    const parent = slotPath(gpu, slot)
    addLink(tree, `/sys/class/mdev_bus/${slot}`, parent)
    for (const type of types) {
      const at = `${parent}/mdev_supported_types/${type.typeId}`
      renderType(tree, at, type, availableInstances(state, slot, type.typeId))
    }
  }
  for (const vgpu of state.vgpus) renderMdev(tree, slotPath(gpu, vgpu.slot), vgpu, gpu.ids.vendor === '10de')
}

/** `nvidia-1145` is 1145 in vendor VFIO's files. */
export const vendorTypeNumber = (typeId: string): string => typeId.slice(typeId.lastIndexOf('-') + 1)

const creatableText = (slicing: SlicingSpec, slot: string): string => {
  const creatable = new Set(creatableTypes(slicing.state, slot))
  const lines = slicing.types
    .filter((type) => creatable.has(type.typeId))
    .map((type) => `${vendorTypeNumber(type.typeId).padEnd(6)}: ${type.name ?? ''}`)
  return [...(slicing.hasHeader ? ['ID    : vGPU Name'] : []), ...lines].map((line) => `${line}\n`).join('')
}

const renderVendorSlots = (tree: Tree, gpu: GpuSpec, slicing: SlicingSpec): void => {
  const { state } = slicing
  for (const slot of state.slots) {
    const at = `${slotPath(gpu, slot)}/nvidia`
    const vgpu = state.vgpus.find((candidate) => candidate.slot === slot)
    addFile(tree, `${at}/creatable_vgpu_types`, creatableText(slicing, slot), 0o444)
    addAttribute(tree, `${at}/current_vgpu_type`, vgpu ? vendorTypeNumber(vgpu.typeId) : 0, 0o644)
    addFile(tree, `${at}/vgpu_params`, vgpu ? 'frame_rate_limiter=1\n' : '\n', 0o644)
    addAttribute(tree, `${at}/gpu_instance_id`, 4294967295, 0o444)
    addAttribute(tree, `${at}/placement_id`, 65535, 0o644)
    addAttribute(tree, `${at}/warm_update`, 0, 0o644)
  }
}

export const renderSlicing = (tree: Tree, gpu: GpuSpec): void => {
  if (gpu.slicing === null) return
  if (gpu.slicing.interface === 'mdev') renderMdevSlots(tree, gpu, gpu.slicing)
  else renderVendorSlots(tree, gpu, gpu.slicing)
}
