import { isWellFormed } from '@/lib/schemas/agent/grammar'
import type { Mdev, NovaConfig } from '@/lib/schemas/agent/inventory'
import { vanished } from './host-error'
import type { HostFiles } from './host-files'
import { isUuid } from './identifiers'
import { type MdevDefinition, readMdevDefinitions } from './mdev-definitions'
import { mountOf, mountsOf, onHost } from './mounts'
import type { ProblemLog } from './problem-log'

const MDEVCTL_FOLDER = '/etc/mdevctl.d'

/**
 * libvirt's daemons that call mdevctl, the modular one first. Containers of OpenStack share /run and the process ids with
 * the host (kolla-ansible nova-libvirt: `pid_mode: host`; openstack-helm libvirt: `hostPID`).
 */
const DAEMONS = [
  { name: 'virtnodedevd', pidFile: '/run/virtnodedevd.pid' },
  { name: 'libvirtd', pidFile: '/run/libvirtd.pid' },
]

/** Deployments whose libvirt runs in a container with its own /etc. */
const CONTAINED: readonly (NovaConfig['deployment'] | null)[] = ['kolla', 'openstack-helm', 'tripleo']

/** Its number, when the process behind the pid file is the daemon and not another that came after it. */
const daemonPid = ({ name, pidFile }: (typeof DAEMONS)[number], files: HostFiles): string | null => {
  const pid = files.attribute(pidFile)
  if (pid === null || !/^[1-9][0-9]{0,9}$/.test(pid)) return null
  return files.attribute(`/proc/${pid}/comm`) === name ? pid : null
}

const seenFolder = (pid: string, files: HostFiles): string | null => {
  const own = mountsOf(pid, files)
  const host = mountsOf('1', files)
  if (own === null || host === null) return null
  const mount = mountOf(MDEVCTL_FOLDER, own)
  return mount === null ? null : onHost(MDEVCTL_FOLDER, mount, host)
}

/**
 * Where mdevctl's definitions lie, as the host sees it: libvirt in a container has its own /etc/mdevctl.d, which
 * is deleted with the container. Null, with a problem, when the folder is unknown or not visible.
 */
export const findDefinitionsFolder = ({
  files,
  problems,
  deployment,
}: {
  files: HostFiles
  problems: ProblemLog
  deployment: NovaConfig['deployment'] | null
}): string | null => {
  const running = DAEMONS.map((daemon) => ({ ...daemon, pid: daemonPid(daemon, files) })).find(
    ({ pid }) => pid !== null,
  )
  const isContained = CONTAINED.includes(deployment)
  if (running === undefined && !isContained) return MDEVCTL_FOLDER
  const folder = running?.pid == null ? null : seenFolder(running.pid, files)
  if (folder !== null) return folder
  // A tree without /proc and a kernel without mountinfo say nothing of a container.
  if (!isContained && mountsOf('1', files) === null) return MDEVCTL_FOLDER
  problems.add({
    source: MDEVCTL_FOLDER,
    code: 'incomplete',
    message:
      running === undefined
        ? `libvirt runs in a separate container here, and no running libvirtd or virtnodedevd leads to it, so its ${MDEVCTL_FOLDER} cannot be read and the defined mdevs are unknown.`
        : `${running.name} runs in a container whose ${MDEVCTL_FOLDER} cannot be read from here, so the defined mdevs are unknown.`,
  })
  return null
}

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
