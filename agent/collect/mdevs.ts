import { isWellFormed } from '@/lib/schemas/agent/grammar'
import type { Mdev, NovaConfig } from '@/lib/schemas/agent/inventory'
import { findDefinitionsFolder } from './definitions-folder'
import { vanished } from './host-error'
import type { HostFiles } from './host-files'
import { isUuid } from './identifiers'
import { type MdevDefinition, readMdevDefinitions } from './mdev-definitions'
import type { ProblemLog } from './problem-log'

const DEVICES_FOLDER = '/sys/bus/mdev/devices'
/** The contract's bounds. */
const MAX_MDEVS = 8192

type Options = {
  files: HostFiles
  problems: ProblemLog
  /** How nova-compute was deployed: libvirt in a container keeps its definitions there. */
  deployment: NovaConfig['deployment'] | null
}
type ActiveMdev = { uuid: string; parent: string; typeId: string | null }

/** The type's id by the mdev's `mdev_type` link; undefined when the whole mdev is gone. */
const typeOf = (path: string, { files, problems }: Options): string | null | undefined => {
  const link = `${path}/mdev_type`
  const typeId = files.linkName(link)
  if (typeId === null && !files.exists(path)) {
    problems.add(vanished(path))
    return undefined
  }
  if (typeId === null) {
    const message = `${path} has no mdev_type, so its vGPU type is unknown.`
    problems.add({ source: link, code: 'incomplete', message })
    return null
  }
  // A type whose folder is gone is still the mdev's type; the problem reports that the driver no longer offers it.
  files.realPath(link)
  if (isWellFormed('vgpuTypeId', typeId)) return typeId
  const message = `${path} has a type whose name is malformed, so its vGPU type is unknown.`
  problems.add({ source: link, code: 'malformed', message })
  return null
}

const readActive = (name: string, options: Options): ActiveMdev[] => {
  const { files, problems } = options
  const path = `${DEVICES_FOLDER}/${name}`
  const uuid = name.toLowerCase()
  if (!isUuid(uuid)) {
    const message = `${path} is not named by a uuid; the mdev was left out.`
    problems.add({ source: path, code: 'odd-name', message })
    return []
  }
  const devicePath = files.realPath(path)
  if (devicePath === null) return []
  const parent = devicePath.split('/').at(-2) ?? ''
  if (devicePath === path || !isWellFormed('mdevParent', parent)) {
    const message = `${path} is no link to a device, so its parent is unknown; the mdev was left out.`
    problems.add({ source: path, code: 'malformed', message })
    return []
  }
  const typeId = typeOf(path, options)
  return typeId === undefined ? [] : [{ uuid, parent, typeId }]
}

/** Null when it is unknown: no sysfs, or the folder is not readable. A kernel without the mdev bus has no mdevs. */
const readAllActive = (options: Options): ActiveMdev[] | null => {
  const names = options.files.names(DEVICES_FOLDER)
  if (names !== null) return names.flatMap((name) => readActive(name, options))
  const hasBus = options.files.exists('/sys/bus/mdev')
  return !hasBus && options.files.exists('/sys/bus') ? [] : null
}

const asDefinition = ({ typeId, start, path }: MdevDefinition): NonNullable<Mdev['definition']> => ({
  typeId,
  start,
  path,
})

/** The one definition that counts for an mdev: that of the mdev's parent, else the first. Others are reported as problems. */
const pickDefinition = (
  definitions: MdevDefinition[],
  parent: string | null,
  problems: ProblemLog,
): MdevDefinition | null => {
  const picked = definitions.find((definition) => definition.parent === parent) ?? definitions[0] ?? null
  for (const other of definitions) {
    if (other === picked) continue
    const message = `${other.path} defines the mdev again; ${picked?.path ?? ''} was taken. Undefine one of them.`
    problems.add({ source: other.path, code: 'malformed', message })
  }
  return picked
}

const definitionsByUuid = (options: Options): Map<string, MdevDefinition[]> => {
  const byUuid = new Map<string, MdevDefinition[]>()
  const folder = findDefinitionsFolder(options)
  for (const definition of folder === null ? [] : readMdevDefinitions(folder, options)) {
    const held = byUuid.get(definition.uuid)
    if (held === undefined) byUuid.set(definition.uuid, [definition])
    else held.push(definition)
  }
  return byUuid
}

/** mdevs that exist in sysfs, are defined in /etc/mdevctl.d, or both, by uuid; null when sysfs does not tell. */
export const collectMdevs = (options: Options): Mdev[] | null => {
  const { problems } = options
  const active = readAllActive(options)
  if (active === null) return null
  const definitions = definitionsByUuid(options)
  const live = new Map(active.map((mdev) => [mdev.uuid, mdev]))
  const uuids = [...new Set([...live.keys(), ...definitions.keys()])].sort()
  if (uuids.length > MAX_MDEVS)
    problems.add({
      source: DEVICES_FOLDER,
      code: 'too-large',
      message: `The host has ${uuids.length} mdevs; a report holds the first ${MAX_MDEVS}.`,
    })
  return uuids.slice(0, MAX_MDEVS).flatMap((uuid): Mdev[] => {
    const mdev = live.get(uuid)
    const definition = pickDefinition(definitions.get(uuid) ?? [], mdev?.parent ?? null, problems)
    const parent = mdev?.parent ?? definition?.parent
    if (parent === undefined) return []
    return [
      {
        uuid,
        parent,
        typeId: mdev?.typeId ?? null,
        isActive: mdev !== undefined,
        definition: definition === null ? null : asDefinition(definition),
      },
    ]
  })
}
