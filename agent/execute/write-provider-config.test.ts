import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import type { CommandOf } from '@/lib/schemas/agent/command'
import { providerConfigContent } from '@/lib/schemas/agent/provider-config'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

const FOLDER = '/etc/nova/provider_config'
const FILE = `${FOLDER}/sliceboard-traits.yaml`
const PROVIDER = 'cmp-01_pci_0000_41_00_0'
const [OLD, NEW] = ['CUSTOM_GRID_T4_4C', 'CUSTOM_GRID_T4_8C'].map((trait) => [
  { provider: PROVIDER, traits: [trait] },
])
if (OLD === undefined || NEW === undefined) throw new Error('two entries')

const open = (files: Record<string, string> = {}, { isAllowed = true } = {}) => {
  const root = temporaryRoot()
  for (const [at, text] of Object.entries({ '/etc/nova/nova.conf': '[DEFAULT]\n', ...files })) {
    mkdirSync(path.dirname(path.join(root, at)), { recursive: true })
    writeFileSync(path.join(root, at), text)
  }
  const allow = isAllowed ? (['write-provider-config'] as const) : []
  const host = createCommandHost({ root, settings: { ...DEFAULT_COMMANDS, allow } })
  return {
    root,
    textOf: (at = FILE) =>
      existsSync(path.join(root, at)) ? readFileSync(path.join(root, at), 'utf8') : null,
    run: (over: Partial<CommandOf<'write-provider-config'>> = {}) =>
      executeCommand(host, { name: 'write-provider-config', entries: NEW, was: null, ...over }),
  }
}

test('the file is written into a folder that it makes, and a second time nothing is touched', async () => {
  const { run, textOf } = open()
  expect(await run()).toEqual({ outcome: 'done', message: `${FILE} was written.`, output: '' })
  expect(textOf()).toBe(providerConfigContent(NEW))
  expect(await run()).toMatchObject({ outcome: 'done', message: `${FILE} is as wanted already.` })
})

test('it becomes another, and goes', async () => {
  const { run, textOf } = open({ [FILE]: providerConfigContent(OLD) })
  expect(await run({ was: OLD })).toMatchObject({ outcome: 'done' })
  expect(textOf()).toBe(providerConfigContent(NEW))
  expect(await run({ was: NEW, entries: null })).toMatchObject({ message: `${FILE} was removed.` })
  expect(textOf()).toBeNull()
})

test('it is written where nova.conf configures', async () => {
  const { run, textOf } = open({
    '/etc/nova/nova.conf': '[compute]\nprovider_config_location = /srv/providers\n',
    '/srv/providers/other.yaml': 'x: 1\n',
  })
  expect(await run()).toMatchObject({ outcome: 'done' })
  expect(textOf('/srv/providers/sliceboard-traits.yaml')).toBe(providerConfigContent(NEW))
})

test.each([
  ['what another wrote', { [FILE]: 'providers: []\n' }, { was: null }, 'was not written by Sliceboard'],
  [
    'what was changed since',
    { [FILE]: `${providerConfigContent(OLD)}# mine\n` },
    { was: OLD },
    'was not written by Sliceboard',
  ],
  [
    'another content than at planning',
    { [FILE]: providerConfigContent(OLD) },
    { was: null },
    'differs from its state at planning',
  ],
  ['a file that does not exist any more', {}, { was: OLD }, 'the file does not exist'],
  [
    'a provider that another file names',
    { [`${FOLDER}/gpus.yaml`]: `providers:\n- identification: {name: ${PROVIDER}}\n` },
    {},
    'gpus.yaml names cmp-01_pci_0000_41_00_0 already',
  ],
  ['a container', { '/etc/kolla/nova-compute/nova.conf': '[DEFAULT]\n' }, {}, 'container of kolla'],
])('%s is refused and not changed', async (_, files: Record<string, string>, over, message) => {
  const { run, textOf } = open(files)
  const before = textOf()
  expect(await run(over)).toMatchObject({ outcome: 'refused', message: expect.stringContaining(message) })
  expect(textOf()).toBe(before)
})

test('a link is refused, and a host that does not allow it', async () => {
  const linked = open({ '/etc/nova/secret': 'x\n', [`${FOLDER}/other.yaml`]: 'x: 1\n' })
  symlinkSync('/etc/nova/secret', path.join(linked.root, FILE))
  expect(await linked.run()).toMatchObject({ outcome: 'refused' })
  expect(linked.textOf('/etc/nova/secret')).toBe('x\n')
  const closed = open({}, { isAllowed: false })
  expect(await closed.run()).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('does not allow write-provider-config'),
  })
  expect(closed.textOf()).toBeNull()
})
