import { formatMib } from '@/lib/util/format'

const GIB = 1024 ** 3

type Image = { minDiskGib: number; minMemoryMib: number; sizeBytes: number | null }
type Flavor = { diskGib: number; memoryMib: number }

/**
 * Why Nova refuses an image for a flavor; null: it fits. A flavor without a disk has the size of the image
 * (nova/compute/api.py: _validate_flavor_image_nostatus).
 */
export const imageProblem = (
  { minDiskGib, minMemoryMib, sizeBytes }: Image,
  { diskGib, memoryMib }: Flavor,
): string | null => {
  if (minMemoryMib > memoryMib) return `needs ${formatMib(minMemoryMib)} of memory`
  const neededGib = Math.max(minDiskGib, Math.ceil((sizeBytes ?? 0) / GIB))
  return diskGib > 0 && neededGib > diskGib ? `needs a disk of ${neededGib} GiB` : null
}
