import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderInstallScript } from '@/lib/server/agent-api/render-install-script'

vi.setConfig({ testTimeout: 30_000 })

const TOKEN = 'sbjt_1_secretsecretsecret'
const here = import.meta.dirname
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const agentText = (version: string) =>
  `console.log(process.argv[2] === 'version' ? '${version}' : process.argv.slice(2).join(' '))\n`

let served = { agent: agentText('1.0.0') }
let requests: string[] = []
let server: Server
let url: string
let prefix: string
let tools: string
let tokenFile: string

beforeEach(async () => {
  served = { agent: agentText('1.0.0') }
  requests = []
  server = createServer((req, res) => {
    requests.push(`${req.url} ${JSON.stringify(req.headers)}`)
    if (req.url === '/agent/sliceboard-agent.mjs') res.end(served.agent)
    else res.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  prefix = await mkdtemp(path.join(tmpdir(), 'sliceboard-install-'))
  tools = path.join(prefix, 'tools')
  await mkdir(tools)
  tokenFile = path.join(prefix, 'token')
  await writeFile(tokenFile, `${TOKEN}\n`, { mode: 0o600 })
})

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(prefix, { recursive: true, force: true })
})

type Run = { code: number | null; output: string }

const renderScript = async (sha = sha256(served.agent)): Promise<string> =>
  renderInstallScript({
    template: await readFile(path.join(here, 'install.sh'), 'utf8'),
    unit: await readFile(path.join(here, 'sliceboard-agent.service'), 'utf8'),
    serverUrl: url,
    agentSha256: sha,
    agentVersion: '1.0.0',
  })

const runScript = async (
  args: string[],
  options: { sha?: string; env?: Record<string, string | undefined> } = {},
): Promise<Run> => {
  const script = await renderScript(options.sha)
  const child = spawn('sh', ['-s', '--', '--prefix', prefix, ...args], {
    env: { ...process.env, SLICEBOARD_TOKEN: '', ...options.env },
    // Detached from the terminal of the test run, on which the script would prompt.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  child.stdin.on('error', () => undefined)
  child.stdin.end(script)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

const run = (command: string, args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const child = spawn(command, args)
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.on('close', (code) => resolve({ code, output }))
  })

const at = (...parts: string[]) => path.join(prefix, ...parts)
const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8)

/** A systemctl that notes its calls, and a host that appears to run systemd. The "agent" uses up its token at the start. */
const giveSystemd = async () => {
  await mkdir(at('run/systemd/system'), { recursive: true })
  const script = `#!/bin/sh\necho "$*" >>"${at('systemctl.log')}"\n[ "$1" != restart ] || rm -f "${at('var/lib/sliceboard/join-token')}"\n`
  await writeFile(path.join(tools, 'systemctl'), script)
  await chmod(path.join(tools, 'systemctl'), 0o755)
  return { PATH: `${tools}:${process.env.PATH}`, SLICEBOARD_SYSTEMCTL: path.join(tools, 'systemctl') }
}

/** A PATH with only the named programs, to try hosts that lack some. */
const onlyTools = async (names: string[]) => {
  for (const name of names) {
    const found = (await run('sh', ['-c', `command -v ${name}`])).output.trim()
    await symlink(found, path.join(tools, name))
  }
  return { PATH: tools }
}
const POSIX = [
  'sh',
  'cat',
  'chmod',
  'cut',
  'dirname',
  'grep',
  'id',
  'ls',
  'mkdir',
  'mktemp',
  'mv',
  'readlink',
  'rm',
  'sha256sum',
  'tr',
]

test('an install puts agent, command, settings and token in place', async () => {
  const { code, output } = await runScript(['--token-file', tokenFile, '--hostname', 'compute-07'])
  expect(output).toContain(`Sliceboard agent 1.0.0 is installed for ${url}.`)
  expect(code).toBe(0)
  expect(await run(at('usr/local/bin/sliceboard-agent'), ['run', '--once'])).toEqual({
    code: 0,
    output: 'run --once\n',
  })
  expect(await readFile(at('etc/sliceboard/agent.toml'), 'utf8')).toContain(
    `server = "${url}"\nhost_name = "compute-07"\n`,
  )
  expect(await readFile(at('var/lib/sliceboard/join-token'), 'utf8')).toBe(`${TOKEN}\n`)
  expect(await modeOf(at('var/lib/sliceboard/join-token'))).toBe('600')
  expect(await modeOf(at('var/lib/sliceboard'))).toBe('700')
  expect(output).toContain('does not run systemd')
})

test('the token reaches neither the output, nor the settings, nor the download', async () => {
  const { output } = await runScript(['--token-file', tokenFile])
  expect(output).not.toContain(TOKEN)
  expect(await readFile(at('etc/sliceboard/agent.toml'), 'utf8')).not.toContain(TOKEN)
  expect(requests.join()).not.toContain(TOKEN)
})

test('a wrong checksum installs nothing', async () => {
  const { code, output } = await runScript(['--token-file', tokenFile], { sha: 'a'.repeat(64) })
  expect(code).toBe(1)
  expect(output).toContain('instead of aaaaaaaa')
  expect(output).toContain('nothing was installed')
  for (const folder of ['usr', 'etc', 'var']) expect(await exists(at(folder))).toBe(false)
})

test('an agent that does not start is not installed', async () => {
  served.agent = 'this is not JavaScript'
  const { code, output } = await runScript(['--token-file', tokenFile])
  expect(code).toBe(1)
  expect(output).toContain('does not start with this Node.js')
  expect(await exists(at('usr'))).toBe(false)
})

test('a second run upgrades the agent and keeps the settings', async () => {
  await runScript(['--token-file', tokenFile])
  await writeFile(at('etc/sliceboard/agent.toml'), '# mine\nserver = "https://other.example"\n')
  served.agent = agentText('2.0.0')
  const { code, output } = await runScript([])
  expect(code).toBe(0)
  expect(output).toContain('unchanged')
  expect(output).toContain(`its server is not ${url}`)
  expect(await readFile(at('etc/sliceboard/agent.toml'), 'utf8')).toContain('# mine')
  expect((await run(at('usr/local/bin/sliceboard-agent'), ['version'])).output).toBe('2.0.0\n')
  expect(await readFile(at('var/lib/sliceboard/join-token'), 'utf8')).toBe(`${TOKEN}\n`)
})

test('with systemd the unit is enabled and restarted, and enrollment is awaited', async () => {
  const env = await giveSystemd()
  const { code, output } = await runScript(['--token-file', tokenFile], { env })
  expect(code).toBe(0)
  expect(output).toContain('The host is enrolled and reports to the console.')
  expect(await readFile(at('systemctl.log'), 'utf8')).toBe(
    'daemon-reload\nenable --quiet sliceboard-agent.service\nrestart sliceboard-agent.service\n',
  )
  expect(await readFile(at('etc/systemd/system/sliceboard-agent.service'), 'utf8')).toBe(
    await readFile(path.join(here, 'sliceboard-agent.service'), 'utf8'),
  )
})

test('below a prefix this machine is not changed, even with its /run in the image', async () => {
  const { PATH } = await giveSystemd()
  const { code } = await runScript(['--token-file', tokenFile], { env: { PATH } })
  expect(code).toBe(0)
  expect(await exists(at('etc/systemd/system/multi-user.target.wants/sliceboard-agent.service'))).toBe(true)
  expect((await runScript(['--uninstall'], { env: { PATH } })).code).toBe(0)
  expect(await exists(at('etc/systemd/system/sliceboard-agent.service'))).toBe(false)
  expect(await exists(at('systemctl.log'))).toBe(false)
})

test('a second run prints which of its options the settings do not have', async () => {
  await runScript(['--token-file', tokenFile])
  const { output } = await runScript(['--hostname', 'cmp-07'])
  expect(output).toContain('its host_name is not cmp-07; edit the file')
  expect(await readFile(at('etc/sliceboard/agent.toml'), 'utf8')).not.toContain('cmp-07')
})

test('uninstall removes the agent and keeps settings and state until --purge', async () => {
  const env = await giveSystemd()
  await runScript(['--token-file', tokenFile], { env })
  expect((await runScript(['--uninstall'], { env })).code).toBe(0)
  expect(await readFile(at('systemctl.log'), 'utf8')).toContain(
    'disable --quiet --now sliceboard-agent.service',
  )
  for (const gone of [
    'usr/local/bin/sliceboard-agent',
    'usr/local/lib/sliceboard',
    'etc/systemd/system/sliceboard-agent.service',
  ])
    expect(await exists(at(gone))).toBe(false)
  expect(await exists(at('etc/sliceboard/agent.toml'))).toBe(true)
  expect((await runScript(['--uninstall', '--purge'], { env })).code).toBe(0)
  expect(await exists(at('etc/sliceboard'))).toBe(false)
  expect(await exists(at('var/lib/sliceboard'))).toBe(false)
})

test('a dry run prints each step and changes nothing', async () => {
  const { code, output } = await runScript(['--token-file', tokenFile, '--dry-run'])
  expect(code).toBe(0)
  expect(output).toContain(`would write: ${at('var/lib/sliceboard/join-token')} (mode 600)`)
  expect(output).toContain('would download')
  expect(requests).toEqual([])
  for (const folder of ['usr', 'etc', 'var']) expect(await exists(at(folder))).toBe(false)
})

test('wget does where curl is missing', async () => {
  const env = await onlyTools([...POSIX, 'node', 'wget'])
  expect(await runScript(['--token-file', tokenFile], { env })).toMatchObject({ code: 0 })
  expect(await exists(at('usr/local/bin/sliceboard-agent'))).toBe(true)
})

test('a host without Node.js gets instructions to install it', async () => {
  const env = await onlyTools([...POSIX, 'curl'])
  const { code, output } = await runScript(['--token-file', tokenFile], { env })
  expect(code).toBe(1)
  expect(output).toContain('needs Node.js 18 or newer (none was found)')
  expect(output).toContain('apt-get install -y nodejs')
})

test('a Node.js that is too old is named with its version', async () => {
  await onlyTools([...POSIX, 'curl'])
  await writeFile(path.join(tools, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v12.22.9 || echo 12\n', {
    mode: 0o755,
  })
  const { code, output } = await runScript(['--token-file', tokenFile], { env: { PATH: tools } })
  expect(code).toBe(1)
  expect(output).toContain('(node is version v12.22.9)')
})

test.each([
  [['--frobnicate'], '"--frobnicate" is not an option'],
  [['--token'], '--token needs a value'],
  [['--token', 'a"b$(id)'], 'the join token has an invalid character'],
  [['--token-file', '-'], 'found nothing on standard input'],
  [['--hostname', "x'y"], '--hostname "x\'y" must be'],
  [['--server', 'ftp://x'], 'must start with http:// or https://'],
  [['--server', 'http://x/"; rm'], '--server has an invalid character'],
  [['--ca-file', 'relative.pem'], 'must be an absolute path'],
  [['--token-file', '/nowhere/token'], 'cannot be read'],
  [['--purge'], '--purge requires --uninstall'],
])('the arguments %j are refused before anything is done', async (args, message) => {
  const { code, output } = await runScript(args)
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(requests).toEqual([])
})

test('a script that was cut short does nothing', async () => {
  const template = await readFile(path.join(here, 'install.sh'), 'utf8')
  const half = template.slice(0, template.indexOf('main() {'))
  expect(await run('sh', ['-c', half])).toEqual({ code: 0, output: '' })
})

test.each(["http://x';id;'", 'http://a b', 'javascript:alert(1)', 'http://x\n'])(
  'an address like %j is not written into the script',
  (serverUrl) => {
    const input = { template: "'@@SERVER_URL@@'", unit: '', agentSha256: 'a'.repeat(64), agentVersion: '1' }
    expect(() => renderInstallScript({ ...input, serverUrl })).toThrow('address of the console')
  },
)
