import { gpuOfSlot } from '@/simulator/host/host-lookup'
import type { HostSpec } from '@/simulator/host-tree/host-spec'

/** `NVIDIA A40-4Q` is `CUSTOM_NVIDIA_A40_4Q`, as an operator tags it. */
const traitName = (typeName: string): string =>
  `CUSTOM_${typeName.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')}`.slice(0, 255)

/** The trait of a type on the GPU of a slot. */
export const traitOfSlot = (spec: HostSpec, slot: string, typeId: string): string => {
  const type = gpuOfSlot(spec, slot)?.slicing.types.find((each) => each.typeId === typeId)
  return traitName(type?.name ?? typeId)
}
