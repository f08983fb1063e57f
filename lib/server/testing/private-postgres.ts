import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { temporaryBase } from '@/agent/testing/temporary-base'

export type PrivatePostgres = {
  url: string
  stop: () => Promise<void>
  /** As `pg_ctl restart -m immediate` does it: nothing is written any more, and the next start redoes what the log holds. */
  breakOff: () => Promise<void>
}

/** Newest PostgreSQL server binaries of Debian's packages, or of the PATH; null when there are none. */
export const findPostgresBinaries = (): string | null => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  for (const version of versions) {
    const folder = path.join(debian, version, 'bin')
    if (existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres'))) return folder
  }
  const onPath = (process.env.PATH ?? '').split(':').find((folder) => existsSync(path.join(folder, 'initdb')))
  return onPath ?? null
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/**
 * initdb refuses to run as root, so a run as root gives the cluster to Debian's postgres user, else to the user with the
 * lowest privileges.
 */
export const unprivilegedUser = (): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null
  const id = (flag: string, name: string) => spawnSync('id', [flag, name], { encoding: 'utf8' })
  const name = ['postgres', 'nobody'].find((candidate) => id('-u', candidate).status === 0)
  if (!name) return null
  return { uid: Number(id('-u', name).stdout), gid: Number(id('-g', name).stdout) }
}

/** Committed data stays in memory for long, so that a server that crashes certainly loses some of it. */
const LATE_WRITES = ['wal_writer_delay=10s', 'wal_writer_flush_after=1GB']
/** Its log grows to a gibibyte before it is written over. */
const IN_MEMORY_BYTES = 4 * 2 ** 30

const SYNCED = ['fsync', 'synchronous_commit', 'full_page_writes']

/**
 * Starts a PostgreSQL of our own: a new cluster in a temporary folder on a free loopback port; with `primary`, the address of
 * another one, a standby that follows it. It lives as long as the run, so nothing of it has to survive the
 * machine; `isDurable`: a commit is on the disk before it returns. `logDirectory`: an empty folder for its log of writes, in
 * small files. `keepIn`: the folder of the cluster, which stays there and is opened again by the next start.
 */
export const startPrivatePostgres = async (
  binaries: string,
  {
    primary = null,
    isDurable = false,
    logDirectory = null,
    keepIn = null,
  }: {
    primary?: string | null
    isDurable?: boolean
    logDirectory?: string | null
    keepIn?: string | null
  } = {},
): Promise<PrivatePostgres> => {
  const base = isDurable ? tmpdir() : temporaryBase(IN_MEMORY_BYTES)
  const folder = keepIn === null ? mkdtempSync(path.join(base, 'sliceboard-pg-')) : path.resolve(keepIn)
  mkdirSync(folder, { recursive: true })
  const remove = () => {
    if (keepIn === null) rmSync(folder, { recursive: true, force: true })
  }
  const user = unprivilegedUser()
  const identity = user ?? {}
  if (user) chownSync(folder, user.uid, user.gid)
  const cluster = path.join(folder, 'cluster')
  const initdb = ['-D', cluster, '-U', 'sliceboard', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  if (logDirectory !== null) initdb.push(`--waldir=${logDirectory}`, '--wal-segsize=1')
  const copy = ['-d', primary ?? '', '-D', cluster, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
  const [program, args] = primary === null ? ['initdb', initdb] : ['pg_basebackup', copy]
  if (!existsSync(cluster))
    execFileSync(path.join(binaries, program), args, { ...identity, cwd: folder, stdio: 'pipe' })
  const port = await freePort()
  const sync = isDurable ? 'on' : 'off'
  const options = ['max_connections=200', ...SYNCED.map((option) => `${option}=${sync}`)]
  if (!isDurable) options.push(...LATE_WRITES)
  const settings = ['-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1']
  const runLogs = process.env.SLICEBOARD_RUN_LOGS
  if (runLogs) settings.push('-c', 'logging_collector=on', '-c', `log_directory=${runLogs}/postgres`)
  for (const option of options) settings.push('-c', option)
  const isReady = () =>
    spawnSync(path.join(binaries, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q']).status === 0
  const launch = async () => {
    const server = spawn(path.join(binaries, 'postgres'), ['-D', cluster, ...settings], {
      ...identity,
      cwd: folder,
      stdio: 'ignore',
    })
    const closed = new Promise<void>((resolve) => server.on('close', () => resolve()))
    for (let attempt = 0; attempt < 100 && server.exitCode === null && !isReady(); attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
      server.kill(signal)
      await closed
    }
    if (isReady()) return end
    await end('SIGINT')
    remove()
    throw new Error(`PostgreSQL from ${binaries} did not start within 10 s.`)
  }
  let end = await launch()
  return {
    url: `postgresql://sliceboard@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await end('SIGINT')
      remove()
    },
    breakOff: async () => {
      await end('SIGQUIT')
      end = await launch()
    },
  }
}
