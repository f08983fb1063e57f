/** A type that the driver would make on a VF now: decimal id and the driver's name. */
export type CreatableType = { id: number; name: string }

/**
 * Reads one line of `creatable_vgpu_types`, e.g. `1145  : NVIDIA L40S-1B`; null for the header `ID    : vGPU Name` and
 * for anything else. Source: NVIDIA/kubevirt-gpu-device-plugin README.
 */
export const parseCreatableLine = (line: string): CreatableType | null => {
  const colon = line.indexOf(':')
  const id = line.slice(0, Math.max(0, colon)).trim()
  const name = line.slice(colon + 1).trim()
  return /^\d{1,9}$/.test(id) && name !== '' ? { id: Number(id), name } : null
}

/** Type id of a vendor-VFIO type; the decimal id is the one in mdev's `nvidia-<id>`. */
export const vendorTypeId = (id: number): string => `nvidia-${id}`
