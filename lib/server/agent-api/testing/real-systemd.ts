import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BOOT = path.join(import.meta.dirname, 'boot-systemd.sh')
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const MAX_BOOT_MS = 20_000

/** Whether an overlay over the machine's root can be mounted in separate namespaces. */
const TRIAL = `mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/r &&
  mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r && test -w /sys/fs/cgroup`

/** Only root, on a machine with systemd whose kernel allows namespaces, can boot a second systemd. */
export const canBootSystemd =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  existsSync('/lib/systemd/systemd') &&
  spawnSync('unshare', ['--pid', '--fork', '--mount', '--cgroup', 'sh', '-c', TRIAL]).status === 0

export type RealSystemd = {
  /** What a shell command writes within, as root; rejects where it fails. */
  sh: (command: string) => Promise<string>
  stop: () => Promise<void>
}

/** The first process of the new namespace: the child of unshare, which the started shell has become. */
const childOf = (pid: number): number | null => {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return child ? Number(child) : null
}

const removeGroups = (name: string): void => {
  // A group can be removed when its own are, and the last processes take a moment to be gone.
  spawnSync('sh', [
    '-c',
    'for n in 1 2 3 4 5; do find /sys/fs/cgroup -depth -type d -path "*/$0*" -exec rmdir {} + 2>/dev/null && break; sleep 0.2; done',
    name,
  ])
}

/** A separate systemd, on a copy of this machine's root that is kept in memory. It shares the machine's network. */
export const bootSystemd = async (): Promise<RealSystemd> => {
  const base = await mkdtemp(path.join(tmpdir(), 'sliceboard-systemd-'))
  const name = path.basename(base)
  const boot = spawn('sh', [BOOT, base, name], { stdio: 'ignore' })
  const ended = once(boot, 'exit')
  const stop = async (): Promise<void> => {
    if (boot.exitCode === null && boot.signalCode === null) boot.kill('SIGKILL')
    await ended
    removeGroups(name)
    await rm(base, { recursive: true, force: true })
  }
  const sh = async (command: string): Promise<string> => {
    const first = boot.pid === undefined ? null : childOf(boot.pid)
    if (first === null) throw new Error('systemd is not there yet')
    const spaces = ['-t', String(first), '-p', '-m', '-u', '-i', '-C']
    // The mount namespace alone would show the machine's root: systemd's own is where it was chrooted to.
    const within = ['env', '-i', 'HOME=/root', `PATH=${PATH}`, 'sh', '-c', command]
    const { stdout } = await run('nsenter', [...spaces, '-r', '-w', ...within])
    return stdout
  }
  const until = Date.now() + MAX_BOOT_MS
  for (;;) {
    try {
      // Until then its boot empties /tmp, where an install works.
      await sh(
        'systemctl is-active --quiet sysinit.target && systemctl is-active --quiet systemd-journald.service',
      )
      return { sh, stop }
    } catch (cause) {
      if (Date.now() > until) {
        await stop()
        throw new Error('systemd did not come up', { cause })
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
