/** A type that the driver would make on a VF now: decimal id and the driver's name. */
export type CreatableType = { id: number; name: string }

/**
 * Reads one line of `creatable_vgpu_types`, e.g. `1145  : NVIDIA L40S-1B`; null for the header `ID    : vGPU Name` and
 * for anything else. Source: NVIDIA/kubevirt-gpu-device-plugin README.
 */
export const parseCreatableLine = (line: string): CreatableType | null => {
  const match = /^\s*(\d{1,9})\s*:\s*(.+?)\s*$/.exec(line)
  return match === null ? null : { id: Number(match[1]), name: match[2] ?? '' }
}

/** Type id of a vendor-VFIO type; the decimal id is the one in mdev's `nvidia-<id>`. */
export const vendorTypeId = (id: number): string => `nvidia-${id}`
