import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import { type AgentCommand, agentCommandSchema, COMMAND_NAMES } from '@/lib/schemas/agent/command'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

const SLOT = '0000:af:00.0'

/** What the product's commands may write, and what appears with it. */
const OWN = [
  /^\/etc\/mdevctl\.d(\/[A-Za-z0-9_:.-]+(\/[0-9a-f-]{36})?)?$/,
  /^\/etc\/nova\/nova\.conf\.d(\/[A-Za-z0-9_.-]+\.conf)?$/,
  /^\/etc\/nova\/provider_config(\/sliceboard-traits\.yaml)?$/,
  /^\/sys\/.*\/(create|remove|current_vgpu_type|driver_override|unbind|drivers_probe)$/,
  // The folder that holds the new folders.
  /^\/etc(\/nova)?$/,
]

const HOSTILE = [
  '..',
  '.',
  '',
  '/',
  '/etc/crontab',
  '../../../../etc/cron.d/x',
  `../${SLOT}`,
  'a/b',
  'x\0y',
  'nvidia-105\nEND',
  '$(touch /tmp/sliceboard)',
  '`id`',
  '-rf',
  '．．／etc',
  `${'../'.repeat(40)}etc/cron.d/x`,
  '\u202e',
]

const word = (...known: readonly string[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
    fc.string(),
  )

const uuid = word('c0ffee00-0000-4000-8000-000000000001', kollaHost.guests[0]?.mdevs[0] ?? '')
const parent = word(SLOT, '0000:b0:00.0', 'mtty')
const typeId = word('nvidia-105', 'nvidia-106')
const attribute = fc.dictionary(word('/etc/crontab', 'vgpu_params'), fc.string(), { maxKeys: 2 })
const definition = fc.option(
  fc.oneof(
    fc
      .record({ mdev_type: typeId, start: word('auto'), attrs: fc.array(attribute) })
      .map((it) => JSON.stringify(it)),
    fc.string(),
  ),
)
const section = word('devices', 'pci', 'mdev_nvidia-105', 'compute', 'DEFAULT', 'keystone_authtoken')
const content = fc.option(
  fc
    .tuple(section, word('enabled_mdev_types', 'alias', 'provider_config_location'), word('nvidia-105'))
    .map(([name, option, value]) => `[${name}]\n${option} = ${value}\n`),
)
const entries = fc.option(
  fc.array(fc.record({ provider: word('cmp_pci_0000_af_00_0'), traits: fc.array(word('CUSTOM_A')) })),
)

/** Anything that has the members of a command, whether it has their forms or not. */
const command = fc.record({
  name: fc.constantFrom(...COMMAND_NAMES),
  uuid,
  typeId,
  parentAddress: parent,
  isActive: fc.boolean(),
  definition,
  file: word('99-sliceboard-mdev.conf', 'x.conf'),
  content,
  was: fc.constantFrom(null, 'vfio-pci', 'nvidia', 0),
  address: parent,
  typeNumber: fc.integer({ min: -1, max: 200 }),
  enable: fc.boolean(),
  driver: word('vfio-pci', 'nvidia', 'nouveau'),
  entries,
})

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'remove-mdev': ['uuid', 'typeId', 'parentAddress'],
  'create-mdev': ['uuid', 'typeId', 'parentAddress', 'isActive', 'definition'],
  'write-nova-config': ['file', 'content', 'was'],
  'set-vfio-type': ['address', 'typeNumber', 'was'],
  'run-sriov-manage': ['address', 'enable'],
  'bind-pci-driver': ['address', 'driver', 'was'],
  'write-provider-config': ['entries', 'was'],
}

/** A command that is carried out where nothing is in its way. */
const plain = {
  name: 'create-mdev' as const,
  uuid: 'c0ffee00-0000-4000-8000-000000000001',
  typeId: 'nvidia-105',
  parentAddress: SLOT,
  isActive: false,
  definition: '{"mdev_type":"nvidia-105","start":"auto","attrs":[]}',
  file: '99-sliceboard-mdev.conf',
  content: '[devices]\nenabled_mdev_types = nvidia-105\n',
  was: null,
  address: SLOT,
  typeNumber: 0,
  enable: true,
  driver: 'vfio-pci',
  entries: null,
}

const pick = (all: Readonly<Record<string, unknown>> & { name: string }): unknown =>
  Object.fromEntries(
    Object.entries(all).filter(([key]) => key === 'name' || MEMBERS[all.name]?.includes(key) === true),
  )

/** Every file below a folder with what changes when it is written. */
const snapshot = (base: string): Map<string, string> => {
  const found = new Map<string, string>()
  const walk = (folder: string) => {
    for (const entry of readdirSync(path.join(base, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`
      const { ino, size, mtimeNs, mode } = lstatSync(path.join(base, name), { bigint: true })
      found.set(name, `${ino} ${size} ${mtimeNs} ${mode}`)
      if (entry.isDirectory()) walk(name)
    }
  }
  walk('')
  return found
}

const texts = (folder: string): string[] =>
  readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))

const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))

test.each([
  ['folders', false],
  ['a link in place of a folder', true],
])('with %s: no input of a command writes outside', async (_, isLinked) => {
  const base = mkdtempSync(path.join(temporaryRoot(), 'base-'))
  const root = path.join(base, 'tree')
  writeHostTree(root, { ...kollaHost, guests: [], nova: { ...kollaHost.nova, deployment: 'package' } })
  for (const folder of ['/etc/cron.d', '/etc/mdevctl.d', '/etc/nova/nova.conf.d', '/.sliceboard'])
    mkdirSync(path.join(root, folder), { recursive: true })
  if (isLinked) symlinkSync('../cron.d', path.join(root, `/etc/mdevctl.d/${SLOT}`))
  symlinkSync('../../cron.d/x', path.join(root, '/etc/nova/nova.conf.d/x.conf'))
  writeFileSync(path.join(base, 'outside.conf'), '')
  const host = createCommandHost({
    root,
    settings: { ...DEFAULT_COMMANDS, allow: COMMAND_NAMES, restartNovaCompute: ['/.sliceboard/restart'] },
    patienceMs: 0,
    pause: async () => undefined,
  })
  const before = snapshot(base)
  const outcomes = new Map<string, number>()
  const definitions: string[] = []
  await fc.assert(
    fc.asyncProperty(command, async (all) => {
      const given = pick(all) as AgentCommand
      const { outcome } = await executeCommand(host, given)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (outcome === 'done' && given.name === 'create-mdev')
        definitions.push(...texts(path.join(root, '/etc/mdevctl.d', given.parentAddress)))
      if (!agentCommandSchema.safeParse(given).success) expect(outcome).toBe('refused')
    }),
    { numRuns: 600, examples: [[plain], [{ ...plain, name: 'write-nova-config' as const }]] },
  )
  const outside = changed(before, snapshot(base)).filter(
    (name) => !name.startsWith('/tree/') || !OWN.some((own) => own.test(name.slice('/tree'.length))),
  )
  expect(outside).toEqual([])
  for (const text of definitions) expect(JSON.parse(text)).toMatchObject({ attrs: [] })
  expect(definitions.length > 0).toBe(!isLinked)
  // The run reached the disk: some commands were carried out.
  expect(outcomes.get('done') ?? 0).toBeGreaterThan(0)
  expect(outcomes.get('refused') ?? 0).toBeGreaterThan(0)
})
