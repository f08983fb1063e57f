import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { HostFiles } from './host-files'
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
        ? `libvirt runs in a container of its own here, and no running libvirtd or virtnodedevd leads to it, so its ${MDEVCTL_FOLDER} can't be read and which mdevs are defined is unknown.`
        : `${running.name} runs in a container whose ${MDEVCTL_FOLDER} can't be read from here, so which mdevs are defined is unknown.`,
  })
  return null
}
