import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@/scripts/demo-run/free-port'

const VERSIONS = '/usr/lib/postgresql'

export type TemporaryPostgres = { url: string; version: string; stop: () => Promise<void> }

/** Newest of Debian's PostgreSQL; null: none is installed. */
const newestVersion = (): string | null =>
  existsSync(VERSIONS) ? (readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0] ?? null) : null

const isRoot = (): boolean => process.getuid?.() === 0

/** PostgreSQL refuses to run as root; Debian's package makes the user postgres. */
const asServer = (command: string, args: string[]): [string, string[]] =>
  isRoot() ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args]

const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'postgres']).toString())

/**
 * A PostgreSQL of the benchmark's own, with the settings that it is installed with; null: none is installed. Its data go when it
 * stops, but for those in the folder `keepIn`.
 */
export const startPostgres = async (keepIn: string | null = null): Promise<TemporaryPostgres | null> => {
  const version = newestVersion()
  if (version === null) return null
  const bin = (name: string): string => join(VERSIONS, version, 'bin', name)
  const folder = keepIn ?? mkdtempSync(join(tmpdir(), 'sliceboard-postgres-'))
  mkdirSync(folder, { recursive: true })
  if (isRoot()) chownSync(folder, idOf('-u'), idOf('-g'))
  const data = join(folder, 'data')
  if (!existsSync(data))
    execFileSync(...asServer(bin('initdb'), ['-D', data, '-A', 'trust', '-U', 'bench', '-E', 'UTF8']), {
      stdio: 'ignore',
      cwd: folder,
    })
  const port = await freePort()
  const [command, args] = asServer(bin('postgres'), [
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    folder,
  ])
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL ended at its start: ${said}`)))
  })
  return {
    url: `postgresql://bench@127.0.0.1:${port}/postgres`,
    version,
    stop: async () => {
      execFileSync(...asServer(bin('pg_ctl'), ['-D', data, 'stop', '-m', 'fast']), {
        stdio: 'ignore',
        cwd: '/',
      })
      if (keepIn === null) rmSync(folder, { recursive: true, force: true })
    },
  }
}
