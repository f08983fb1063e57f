import type { NovaConfig } from '@/lib/schemas/agent/inventory'

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

const isMdevSection = (section: string): boolean => /^(devices$|mdev_|vgpu_)/i.test(section)

/** Where a file stands, or would stand, among those that nova-compute reads; null when no file of its folder is read. */
const placeOf = ({ files }: NovaConfig, path: string): number | null => {
  const own = files.indexOf(path)
  if (own >= 0) return own
  const neighbours = files.filter((file) => folderOf(file) === folderOf(path))
  if (neighbours.length === 0) return null
  const before = neighbours.filter((file) => file < path).at(-1)
  return before === undefined ? files.indexOf(neighbours[0] ?? '') - 1 : files.indexOf(before)
}

/**
 * Files that nova-compute reads after a drop-in and that name vGPU types too, so that the drop-in counts for nothing; null
 * when the report does not tell the order, since no file of the folder was there.
 */
export const filesOverDropIn = (config: NovaConfig, path: string): string[] | null => {
  const place = placeOf(config, path)
  if (place === null) return null
  const later = config.files.filter((file, index) => index > place && file !== path)
  return later.filter((file) =>
    config.options.some((option) => option.file === file && isMdevSection(option.section)),
  )
}
