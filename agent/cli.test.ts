import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { inventorySchema } from '@/lib/schemas/agent/inventory'
import { bundleAgent } from '@/scripts/agent-build/bundle'
import { buildExecutable, isInjectable } from '@/scripts/agent-build/executable'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { temporaryFolder, temporaryRoot } from './testing/scan-fixture'

const folder = temporaryFolder()
const program = path.join(folder, 'sliceboard-agent.mjs')
const root = path.join(folder, 'host')

beforeAll(async () => {
  await bundleAgent({
    entry: 'agent/main.ts',
    format: 'esm',
    outfile: program,
    banner: '#!/usr/bin/env node',
  })
  writeHostTree(root, kollaHost)
}, 60_000)

const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: '/',
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('the bundle, alone in a folder', () => {
  test('scan prints one inventory that the contract accepts', () => {
    const { status, stdout, stderr } = run('scan', '--root', root)
    expect([status, stderr]).toEqual([0, ''])
    const inventory = inventorySchema.parse(JSON.parse(stdout))
    expect(inventory.host.name).toBe('kolla-cmp-03')
    expect(inventory.novaConfig?.deployment).toBe('kolla')
    expect(stdout.trim()).not.toContain('\n')
  })

  test('options reach the scan', () => {
    const { stdout } = run(
      ...['scan', '--root', root, '--hostname', 'GPU-99', '--no-nvidia-smi', '--pretty'],
      ...['--nova-config', '/etc/kolla/nova-compute/nova.conf', '--guest-xml', '/run/libvirt/qemu'],
    )
    const inventory = inventorySchema.parse(JSON.parse(stdout))
    expect(stdout).toContain('\n  "host": {\n    "name": "gpu-99"')
    expect(inventory.novaConfig?.deployment).toBe('given')
    expect(inventory.nvidiaSmi).toBeNull()
    expect(inventory.guests?.map(({ livePath }) => livePath)).toEqual([
      '/run/libvirt/qemu/instance-00000090.xml',
    ])
  })

  test('it runs through a link too, and does nothing when it is imported', () => {
    const link = path.join(folder, 'agent-link')
    symlinkSync(program, link)
    const version = execFileSync(process.execPath, [link, 'version'], { encoding: 'utf8' })
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/)
    const code = `const a = await import(${JSON.stringify(program)}); console.log(Object.keys(a).sort().join())`
    const imported = execFileSync(process.execPath, ['--input-type=module', '-e', code, 'scan'], {
      encoding: 'utf8',
    })
    expect(imported).toBe('AGENT_VERSION,createScanMemory,keepMemorySmall,runAgent,scanHost\n')
  })

  test('it needs no other file', () => {
    const alone = temporaryRoot()
    copyFileSync(program, path.join(alone, 'agent.mjs'))
    expect(readdirSync(alone)).toEqual(['agent.mjs'])
    const output = execFileSync(process.execPath, [path.join(alone, 'agent.mjs'), 'scan', '--root', root], {
      cwd: '/',
    })
    expect(output.length).toBeGreaterThan(1000)
  })

  test('a reader that goes away is no error', () => {
    const line = `"${process.execPath}" "${program}" scan --root "${root}" | head -c 10`
    const { stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['{"host":{"', ''])
  })
})

// Debian's own Node is a shared library and cannot be carried along.
test.skipIf(!isInjectable(process.execPath))(
  'one executable prints the same, on a host without Node',
  async () => {
    const executable = path.join(folder, 'sliceboard-agent')
    await buildExecutable(executable)
    const { status, stdout, stderr } = spawnSync(executable, ['scan', '--root', root], {
      cwd: '/',
      encoding: 'utf8',
      env: { NODE_ENV: 'production' },
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toBe(run('scan', '--root', root).stdout)
  },
  120_000,
)

describe('what cannot be followed is one sentence', () => {
  test.each([
    [[], 2, 'A command is missing: scan, run or version; see "sliceboard-agent --help".'],
    [['scna'], 2, '"scna" is not a command; use scan, run or version, or see "sliceboard-agent --help".'],
    [
      ['constructor'],
      2,
      '"constructor" is not a command; use scan, run or version, or see "sliceboard-agent --help".',
    ],
    [['scan', '--nope'], 2, '"--nope" is not an option of "scan"; see "sliceboard-agent --help".'],
    [
      ['scan', '--root', '/nowhere'],
      2,
      `--root "/nowhere" is not a directory; give the top of a host's tree.`,
    ],
    [
      ['scan', '--nova-config', 'nova.conf'],
      2,
      '--nova-config "nova.conf" must be an absolute path on the host, such as /etc/nova/nova.conf.',
    ],
    [
      ['scan', '--root', '/proc/self/fdinfo'],
      1,
      'No host name was found in nova.conf or /etc/hostname; give one with --hostname.',
    ],
    [
      ['scan', '--root', '/proc/self/fdinfo', '--hostname', 'a b'],
      1,
      'The host name "a b" is not one: use letters, digits, dots, dashes and underscores, at most 253 characters.',
    ],
  ])('%j', (words, status, sentence) => {
    expect(run(...words)).toEqual({ status, stdout: '', stderr: `${sentence}\n` })
  })

  test.each([['--help'], ['-h'], ['help'], ['scan', '--help']])('%s prints the help', (...words) => {
    const { status, stdout } = run(...words)
    expect(status).toBe(0)
    expect(stdout).toContain('Usage: sliceboard-agent COMMAND')
  })
})
