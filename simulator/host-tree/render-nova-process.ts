import type { HostSpec, NovaProcessSpec } from './host-spec'
import { addAttribute, addDirectory, addFile, addTrigger, type Tree } from './tree'

/** What is written here restarts nova-compute, as `systemctl restart` does on a real host. */
export const RESTART_TRIGGER = '/.sliceboard/nova-compute/restart'

/** The program that does it, for an agent that runs in the tree. */
export const RESTART_SCRIPT_PATH = '/.sliceboard/restart-nova-compute'

/** Waits as `systemctl restart` does and fails when the service does not start. It finds the tree by its own place. */
const RESTART_SCRIPT = `#!/bin/sh
at="$(dirname "$0")/nova-compute"
before="$(cat "$at/state")"
echo 1 > "$at/restart" || exit 1
left=600
while [ "$(cat "$at/state")" = "$before" ]; do
  left=$((left - 1))
  if [ "$left" -le 0 ]; then echo "nova-compute was not restarted within a minute" >&2; exit 1; fi
  sleep 0.1
done
state="$(cat "$at/state")"
echo "$state"
case "$state" in active*) exit 0 ;; *) exit 1 ;; esac
`

const TICKS_PER_SECOND = 100
/** Hosts are up for that long before nova-compute starts, as far as /proc/stat is concerned. */
const BOOT_MS = 90_000

/** The whole day before, so that a restart does not move the time of the boot. */
const bootMs = (startedAtMs: number): number =>
  Math.floor((startedAtMs - BOOT_MS) / 86_400_000) * 86_400_000 - 86_400_000

/** proc_pid_stat(5): the 22nd field is the start in ticks since the boot. */
const statLine = (pid: number, startTicks: number): string =>
  `${pid} (nova-compute) S 1 ${pid} ${pid} 0 -1 4194560 ${'0 '.repeat(8)}20 0 24 0 ${startTicks} 2147483648 40960 18446744073709551615${' 0'.repeat(27)}`

const PACKAGE_ARGUMENTS = ['--config-file=/etc/nova/nova.conf', '--config-file=/etc/nova/nova-compute.conf']

/** The process as the kernel shows it; one in a container belongs to no unit of systemd. */
const renderProcess = (
  tree: Tree,
  { nova, system }: Pick<HostSpec, 'nova' | 'system'>,
  { pid, startedAtMs }: NovaProcessSpec,
): void => {
  const isPackage = nova.deployment === 'package'
  const isDebian = ['ubuntu', 'debian'].includes(system.osId)
  const unit = isDebian ? 'nova-compute.service' : 'openstack-nova-compute.service'
  const boot = bootMs(startedAtMs)
  const options = isPackage && isDebian ? PACKAGE_ARGUMENTS : []
  const words = ['/usr/bin/python3', '/usr/bin/nova-compute', ...options]
  if (isPackage) addAttribute(tree, `/sys/fs/cgroup/system.slice/${unit}/cgroup.procs`, pid)
  addFile(tree, `/proc/${pid}/cmdline`, `${words.join('\0')}\0`, 0o444)
  const ticks = Math.round(((startedAtMs - boot) / 1000) * TICKS_PER_SECOND)
  addAttribute(tree, `/proc/${pid}/stat`, statLine(pid, ticks))
  addFile(tree, '/proc/stat', `cpu  1000 0 1000 100000 0 0 0 0 0 0\nbtime ${boot / 1000}\n`, 0o444)
}

/** nova-compute of a living host: its process, its state, and the way to restart it. */
export const renderNovaProcess = (tree: Tree, spec: Pick<HostSpec, 'nova' | 'system'>): void => {
  const { process, deployment } = spec.nova
  if (process === null) return
  const at = new Date(process.startedAtMs).toISOString()
  const state = process.failure === null ? `active since ${at}` : `failed at ${at}: ${process.failure}`
  addFile(tree, RESTART_SCRIPT_PATH, RESTART_SCRIPT, 0o755)
  addFile(tree, '/.sliceboard/nova-compute/state', `${state}\n`)
  addTrigger(tree, RESTART_TRIGGER)
  if (deployment === 'package') addDirectory(tree, '/etc/nova/nova.conf.d')
  if (process.failure === null) renderProcess(tree, spec, process)
}
