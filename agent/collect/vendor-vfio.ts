import type { VendorVfio } from '@/lib/schemas/agent/inventory'
import { truncate } from './clean-text'
import type { HostFiles } from './host-files'
import { countFrom } from './identifiers'
import type { ProblemLog } from './problem-log'

/** The contract's bound on `creatable`. */
const MAX_LINES = 512

/** `Unset` is no id, nor is 65535; drivers before 550 have neither file. */
const idOf = (path: string, files: HostFiles): number | null => {
  const id = countFrom(files.attribute(path))
  return id === 65_535 ? null : id
}

/** `<VF>/nvidia/`: NVIDIA's vendor-specific VFIO, unchanged. `creatable_vgpu_types` may be longer than a page. */
export const readVendorVfio = (device: string, files: HostFiles, problems: ProblemLog): VendorVfio => {
  const currentPath = `${device}/nvidia/current_vgpu_type`
  const current = files.attribute(currentPath)
  const currentType = countFrom(current)
  if (current !== null && currentType === null)
    problems.add({
      source: currentPath,
      code: 'malformed',
      message: `${currentPath} holds no decimal type id.`,
    })
  const creatablePath = `${device}/nvidia/creatable_vgpu_types`
  const lines = files
    .text(creatablePath)
    ?.split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => truncate(line.trimEnd(), 1024))
  if (lines !== undefined && lines.length > MAX_LINES)
    problems.add({
      source: creatablePath,
      code: 'too-large',
      message: `${creatablePath} holds ${lines.length} lines; a report holds the first ${MAX_LINES}.`,
    })
  const gpuInstanceId = idOf(`${device}/nvidia/gpu_instance_id`, files)
  const placementId = idOf(`${device}/nvidia/placement_id`, files)
  return {
    currentType,
    creatable: lines?.slice(0, MAX_LINES) ?? null,
    ...(gpuInstanceId === null ? {} : { gpuInstanceId }),
    ...(placementId === null ? {} : { placementId }),
  }
}
