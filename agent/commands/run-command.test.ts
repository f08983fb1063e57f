import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_COMMANDS } from '../execute/command-settings'
import { LOOPBACK_CERTIFICATE } from '../http/testing/loopback-certificate'
import { resolveRunSettings } from './run-command'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'sliceboard-settings-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const withFile = async (toml: string, words: string[] = []) => {
  const file = path.join(directory, 'agent.toml')
  await writeFile(file, toml)
  return resolveRunSettings(['--config', file, ...words])
}

test('the settings file is enough', async () => {
  const ca = path.join(directory, 'ca.pem')
  await writeFile(ca, LOOPBACK_CERTIFICATE)
  const settings = await withFile(`
server = "https://console.example.org"
host_name = "Compute-07"
interval_seconds = 60
state_directory = "/srv/sliceboard"
ca_file = "${ca}"
join_token_file = "/run/secrets/join"
[spool]
max_bytes = 4194304
[scan]
nova_config = ["/opt/nova/nova.conf"]
nvidia_smi = false
`)
  expect(settings).toEqual({
    root: '/',
    serverUrl: 'https://console.example.org',
    hostName: 'compute-07',
    intervalSeconds: 60,
    stateDirectory: '/srv/sliceboard',
    ca: LOOPBACK_CERTIFICATE,
    joinToken: undefined,
    joinTokenFile: '/run/secrets/join',
    isOnce: undefined,
    spool: { maxBytes: 4194304, maxReports: 10_000 },
    scan: { novaConfig: ['/opt/nova/nova.conf'], guestXml: undefined, isNvidiaSmiOff: true },
    commands: DEFAULT_COMMANDS,
  })
})

const ALLOWING = `server = "https://a"
[commands]
allow = ["remove-mdev", "restart-nova-compute"]
restart_nova_compute = ["docker", "restart", "nova_compute"]
`

test('what a host allows, and its own words for it', async () => {
  expect(await withFile(ALLOWING)).toMatchObject({
    commands: {
      ...DEFAULT_COMMANDS,
      allow: ['remove-mdev', 'restart-nova-compute'],
      restartNovaCompute: ['docker', 'restart', 'nova_compute'],
    },
  })
  expect(DEFAULT_COMMANDS.allow).toEqual([])
})

test('a file that allows commands is refused when others can write it, or its folder', async () => {
  await withFile(ALLOWING)
  await chmod(path.join(directory, 'agent.toml'), 0o666)
  await expect(withFile(ALLOWING)).rejects.toThrow(/others than root can change .*agent\.toml/)
  await chmod(path.join(directory, 'agent.toml'), 0o644)
  await chmod(directory, 0o777)
  await expect(withFile(ALLOWING)).rejects.toThrow(/others than root can change/)
})

test('a command that this agent does not know is named', async () => {
  await expect(withFile('server = "https://a"\n[commands]\nallow = ["format-disk"]\n')).rejects.toThrow(
    /"commands\.allow\.0" is "format-disk" and must be one of remove-mdev/,
  )
})

test('the command line wins over the file', async () => {
  const words = [
    '--server',
    'http://b',
    '--hostname',
    'b',
    '--state-dir',
    '/b',
    '--interval',
    '5',
    '--token',
    't',
    '--once',
    '--root',
    '/tree',
  ]
  const file = 'server = "http://a"\nhost_name = "a"\nstate_directory = "/a"\ninterval_seconds = 60\n'
  expect(await withFile(file, words)).toMatchObject({
    serverUrl: 'http://b',
    hostName: 'b',
    stateDirectory: '/b',
    intervalSeconds: 5,
    joinToken: 't',
    isOnce: true,
    root: '/tree',
  })
})

test.each([
  ['server = "a"\ntoken = "sbjt_1_secret"', '"token" is not a setting of this agent.'],
  ['[spool]\nmax_byte = 5', '"spool.max_byte" is not a setting of this agent.'],
  ['interval_seconds = 0', '"interval_seconds" is 0 and must be a whole number from 1 to 3600.'],
  ['interval_seconds = "30"', '"interval_seconds" is "30" and must be a whole number from 1 to 3600.'],
  ['server = 5', '"server" is 5 and must be a text.'],
  ['host_name = "a b"', '"host_name" is "a b" and must be a host name'],
  ['state_directory = "relative"', '"state_directory" is "relative" and must be an absolute path.'],
  ['[spool]\nmax_bytes = 5', '"spool.max_bytes" is 5 and must be a whole number from 2097152 to'],
  [
    '[scan]\nnova_config = "/etc/nova"',
    '"scan.nova_config" is "/etc/nova" and must be a list of absolute paths.',
  ],
  ['[scan]\nguest_xml = ["qemu"]', '"scan.guest_xml.0" is "qemu" and must be an absolute path.'],
  ['server = \ntoken = "sbjt_1_secret"', 'are not TOML (line 1, column'],
  ['', 'The console\'s address is missing: set "server"'],
])('the file %j is refused in one sentence', async (toml, message) => {
  await expect(withFile(toml)).rejects.toThrow(message)
  await expect(withFile(toml)).rejects.not.toThrow('sbjt_1_secret')
})

const inputOf = async function* (text: string) {
  yield Buffer.from(text)
}

test('the token comes from standard input', async () => {
  const words = ['--server', 'http://a', '--token-file', '-']
  expect(await resolveRunSettings(words, inputOf('sbjt_secret\n'))).toMatchObject({
    joinToken: 'sbjt_secret',
    joinTokenFile: undefined,
  })
  for (const text of ['', 'two words', 'x'.repeat(100_000)]) {
    const refused = resolveRunSettings(words, inputOf(text))
    await expect(refused).rejects.toThrow(/^Standard input must hold the join token and nothing else/)
  }
})

test.each(['hello world', '', 'x'.repeat(513), 'sbjt_ü'])(
  'the token %j is refused without printing it',
  async (token) => {
    const refused = resolveRunSettings(['--server', 'http://a', '--token', token])
    await expect(refused).rejects.toThrow(/^--token must be one word, the join token as the console shows it/)
  },
)

test('a settings file that was named must be there, and so must the certificates', async () => {
  await expect(resolveRunSettings(['--config', '/nowhere/agent.toml'])).rejects.toThrow('cannot be read')
  const withCa = (file: string) => withFile(`server = "https://a"\nca_file = "${file}"`)
  await expect(withCa('/nowhere/ca.pem')).rejects.toThrow('"ca_file" /nowhere/ca.pem cannot be read')
  await writeFile(path.join(directory, 'ca.pem'), 'no certificate')
  await expect(withCa(path.join(directory, 'ca.pem'))).rejects.toThrow('holds no certificate')
})

test.each([
  [['--interval', 'soon'], '--interval "soon" must be a whole number of seconds from 1 to 3600.'],
  [['--frobnicate'], '"--frobnicate" is not an option of "run"'],
  [['now'], '"run" takes options only'],
])('the words %j are refused', async (words, message) => {
  await expect(withFile('server = "http://a"', words)).rejects.toThrow(message)
})
