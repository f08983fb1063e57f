import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderInstallScript } from '@/lib/server/agent-api/render-install-script'

vi.setConfig({ testTimeout: 60_000 })

const TOKEN = 'sbjt_9_plumplumplumplumplum'
const AGENT = "console.log(process.argv[2] === 'version' ? '1.0.0' : '')\n"
const here = import.meta.dirname
/** `script` of util-linux runs a command on a separate terminal. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

let server: Server
let prefix: string
let script: string

beforeEach(async () => {
  server = createServer((_req, res) => res.end(AGENT))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  prefix = await mkdtemp(path.join(tmpdir(), 'sliceboard-token-'))
  script = path.join(prefix, 'install.sh')
  const text = renderInstallScript({
    template: await readFile(path.join(here, 'install.sh'), 'utf8'),
    unit: await readFile(path.join(here, 'sliceboard-agent.service'), 'utf8'),
    serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    agentSha256: createHash('sha256').update(AGENT).digest('hex'),
    agentVersion: '1.0.0',
  })
  await writeFile(script, text)
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(prefix, { recursive: true, force: true })
})

const at = (...parts: string[]) => path.join(prefix, ...parts)
const storedToken = () => readFile(at('var/lib/sliceboard/join-token'), 'utf8')

const outputOf = (child: ChildProcess) => {
  const seen = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      seen.text += String(chunk)
    })
  return seen
}
const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))

const start = (args: string[], env: Record<string, string> = {}) =>
  spawn('sh', [script, '--prefix', prefix, ...args], { env: { ...process.env, ...env }, detached: true })

/** Programs that record their arguments and run the real program. */
const noteCalls = async (): Promise<{ PATH: string; calls: () => Promise<string> }> => {
  const tools = at('tools')
  const log = at('calls.log')
  await mkdir(tools)
  const names = 'cat chmod curl cut dirname grep id ls mkdir mktemp mv node readlink rm sha256sum stty tr sh'
  for (const name of names.split(' ')) {
    const real = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    await writeFile(path.join(tools, name), `#!/bin/sh\necho "${name} $*" >>'${log}'\nexec ${real} "$@"\n`)
    await chmod(path.join(tools, name), 0o755)
  }
  return { PATH: `${tools}:${process.env.PATH}`, calls: () => readFile(log, 'utf8') }
}

/** Command lines and environments of all processes that this user may read, again and again until stopped. */
const watchProcesses = () => {
  const found = new Set<string>()
  let hasSeenInstaller = false
  let isOver = false
  const sample = async () => {
    while (!isOver) {
      for (const pid of await readdir('/proc')) {
        if (!/^\d+$/.test(pid)) continue
        const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        if (line.includes(TOKEN)) found.add(line)
        if (line.includes(prefix)) hasSeenInstaller = true
      }
    }
  }
  const running = sample()
  return {
    stop: async () => {
      isOver = true
      await running
      return { found: [...found], hasSeenInstaller }
    },
  }
}

test('the token comes on standard input of a saved script', async () => {
  const child = start(['--token-file', '-'])
  const output = outputOf(child)
  child.stdin.end(`${TOKEN}\n`)
  expect(await ended(child)).toBe(0)
  expect(output.text).not.toContain(TOKEN)
  expect(await storedToken()).toBe(`${TOKEN}\n`)
})

test('a token file that others can read is used with a warning', async () => {
  const file = at('token')
  for (const mode of [0o600, 0o400, 0o640, 0o604]) {
    await writeFile(file, `${TOKEN}\n`)
    await chmod(file, mode)
    const child = start(['--token-file', file])
    const output = outputOf(child)
    expect(await ended(child)).toBe(0)
    expect([mode.toString(8), output.text.includes('can read')]).toEqual([
      mode.toString(8),
      (mode & 0o077) !== 0,
    ])
    await rm(file)
  }
})

test('a token on the command line works with a warning', async () => {
  const child = start(['--token', TOKEN])
  const output = outputOf(child)
  expect(await ended(child)).toBe(0)
  expect(output.text).toContain('Warning: --token is deprecated')
  expect(await storedToken()).toBe(`${TOKEN}\n`)
})

test('without a terminal and without a token the agent is installed, and the output explains how to enroll', async () => {
  const child = start([])
  const output = outputOf(child)
  expect(await ended(child)).toBe(0)
  expect(output.text).toContain('no join token was given and this host is not enrolled')
})

test('the reason that the agent wrote is printed, and the script ends with status 3', async () => {
  await mkdir(at('run/systemd/system'), { recursive: true })
  const systemctl = at('systemctl')
  const sentence = 'Host "cmp-01" already has a credential in use. An admin decides on request 3f9a77c1.'
  await writeFile(
    systemctl,
    `#!/bin/sh\n[ "$1" != restart ] || echo '${sentence}' >'${at('var/lib/sliceboard/enrollment-status')}'\n`,
  )
  await chmod(systemctl, 0o755)
  await mkdir(at('var/lib/sliceboard'), { recursive: true })
  await writeFile(at('var/lib/sliceboard/enrollment-status'), 'of an earlier try')
  await writeFile(at('token'), TOKEN, { mode: 0o600 })
  const child = start(['--token-file', at('token')], { SLICEBOARD_SYSTEMCTL: systemctl })
  const output = outputOf(child)
  expect(await ended(child)).toBe(3)
  expect(output.text).toContain(`The host is not enrolled yet. ${sentence}`)
  expect(output.text).toContain('The agent is running and keeps trying.')
  expect(output.text).not.toContain('of an earlier try')
})

test.skipIf(!hasTerminal)(
  'pasted on a terminal, the token is in no command line, in no history and not on the screen',
  async () => {
    const { PATH, calls } = await noteCalls()
    const history = at('history')
    const env = { ...process.env, PATH, HISTFILE: history, SLICEBOARD_TOKEN: '' }
    const shell = spawn('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], {
      env,
      detached: true,
    })
    const screen = outputOf(shell)
    const processes = watchProcesses()
    const until = (text: string | RegExp) =>
      vi.waitFor(() => expect(screen.text).toMatch(text), { timeout: 30_000, interval: 20 })
    await until(/bash-[\d.]+[#$] /)
    // As the console shows it, with cat for curl and without sudo.
    shell.stdin.write(`cat ${script} | sh -s -- --prefix ${prefix}\n`)
    await until(/Join token .*not shown/)
    shell.stdin.write(`${TOKEN}\n`)
    await until('is installed for')
    shell.stdin.write('exit\n')
    expect(await ended(shell)).toBe(0)
    const { found, hasSeenInstaller } = await processes.stop()
    expect(found).toEqual([])
    expect(hasSeenInstaller).toBe(true)
    expect(await storedToken()).toBe(`${TOKEN}\n`)
    expect((await stat(at('var/lib/sliceboard/join-token'))).mode & 0o777).toBe(0o600)
    expect(screen.text).not.toContain(TOKEN)
    expect(await readFile(history, 'utf8')).toContain('install.sh')
    expect(await readFile(history, 'utf8')).not.toContain(TOKEN)
    expect(await calls()).toContain('stty -echo')
    expect(await calls()).not.toContain(TOKEN)
  },
)
