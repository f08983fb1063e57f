import { listText } from '@/lib/domain/wording'
import { DROP_IN_FILE } from '@/lib/schemas/agent/drop-in'
import type { NovaConfig, NovaOption } from '@/lib/schemas/agent/inventory'

const USUAL_FOLDER = '/etc/nova/nova.conf.d'

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

const isMdevSection = (section: string): boolean => /^(devices$|mdev_|vgpu_)/i.test(section)

/** How many other files are read before this one; null when no file of its folder is read. */
const positionOf = ({ files, dropIn }: NovaConfig, path: string): number | null => {
  if (dropIn?.path === path) return dropIn.place
  const own = files.indexOf(path)
  if (own >= 0) return own
  if (dropIn !== undefined && folderOf(dropIn.path) === folderOf(path)) {
    const between = files.filter(
      (file) => folderOf(file) === folderOf(path) && file > path && file < dropIn.path,
    )
    return dropIn.place === null ? null : dropIn.place - between.length
  }
  const neighbours = files.filter((file) => folderOf(file) === folderOf(path))
  const [first] = neighbours
  if (first === undefined) return null
  const before = neighbours.filter((file) => file < path).at(-1)
  return before === undefined ? files.indexOf(first) : files.indexOf(before) + 1
}

/**
 * Files that nova-compute reads after a drop-in and that set the same options (those of vGPU types), so that it counts for nothing; null
 * when the report does not tell the order, since no file of the folder was there.
 */
export const filesOverDropIn = (
  config: NovaConfig,
  path: string,
  isMeant: (option: NovaOption) => boolean = ({ section }) => isMdevSection(section),
): string[] | null => {
  const position = positionOf(config, path)
  if (position === null) return null
  const later = config.files.filter((file) => file !== path).slice(position)
  return later.filter((file) => config.options.some((option) => option.file === file && isMeant(option)))
}

/** The path of the console's drop-in, existing or not. */
const dropInPath = ({ dropIn, files }: NovaConfig): string =>
  dropIn?.path ?? files.find((file) => file.endsWith(`/${DROP_IN_FILE}`)) ?? `${USUAL_FOLDER}/${DROP_IN_FILE}`

/** Why a drop-in would count for nothing, and what to do; each one sentence. */
type LostDropIn = { because: string; wayOut: string }

/** Whether nova-compute reads the folder of the drop-in: null if it does, as far as the report shows. */
export const unreadDropIn = (config: NovaConfig): LostDropIn | null => {
  if (config.dropIn?.place !== null) return null
  const folder = folderOf(dropInPath(config))
  return {
    because: `nova-compute does not read ${folder}, so a file that the agent writes there would have no effect.`,
    wayOut:
      'Add the new options to nova.conf manually. Or set nova_config_folder in agent.toml to a folder that nova-compute reads, and plan again.',
  }
}

/** Whether vGPU types that the host's agent writes would take effect: null if they do, as far as the report shows. */
export const lostDropIn = (config: NovaConfig): LostDropIn | null => {
  const unread = unreadDropIn(config)
  if (unread !== null) return unread
  const path = dropInPath(config)
  const folder = folderOf(path)
  const over = filesOverDropIn(config, path) ?? []
  if (over.length === 0) return null
  const names = listText(over)
  return {
    because: `nova-compute reads ${names} after ${folder}, and ${over.length === 1 ? 'it names' : 'they name'} vGPU types, so a file that the agent writes there would have no effect.`,
    wayOut: `Add the new options to ${names} manually. Or move [devices] and the sections of the types from there to ${folder}/50-vgpu.conf, and plan again: the agent can then do it.`,
  }
}

/** The same as a text for a person; null as well where nova.conf could not be read. */
export const dropInProblem = (config: NovaConfig | null, why = lostDropIn): string | null => {
  const lost = config === null ? null : why(config)
  return lost === null ? null : `${lost.because} ${lost.wayOut}`
}

/** As `lostDropIn`, for the file next to the drop-in of vGPU types that sets options of another kind. */
export const lostOptions = (
  config: NovaConfig,
  { file, isMeant }: { file: string; isMeant: (option: NovaOption) => boolean },
): LostDropIn | null => {
  const unread = unreadDropIn(config)
  if (unread !== null) return unread
  const folder = folderOf(dropInPath(config))
  const over = filesOverDropIn(config, `${folder}/${file}`, isMeant) ?? []
  if (over.length === 0) return null
  const names = listText(over)
  return {
    because: `nova-compute reads ${names} after ${folder}, and ${over.length === 1 ? 'it sets' : 'they set'} some of these options, so a file that the agent writes there would have no effect.`,
    wayOut: `Add the new options to ${names} manually. Or move the old ones from there to ${folder}/50-cpu.conf, and plan again: the agent can then do it.`,
  }
}
