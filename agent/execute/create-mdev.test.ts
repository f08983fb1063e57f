import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import type { CommandOf } from '@/lib/schemas/agent/command'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { createLivingHost } from '@/simulator/host/living-host'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

const SLOT = '0000:af:00.0'
const UUID = 'c0ffee00-0000-4000-8000-000000000001'
const FILE = `/etc/mdevctl.d/${SLOT}/${UUID}`

const DEFINED = JSON.stringify({ mdev_type: 'nvidia-105', start: 'auto', attrs: [] })

const command: CommandOf<'create-mdev'> = {
  name: 'create-mdev',
  uuid: UUID,
  typeId: 'nvidia-105',
  parentAddress: SLOT,
  isActive: false,
  definition: DEFINED,
}

const open = () => {
  const root = temporaryRoot()
  const spec = { ...kollaHost, nova: { ...kollaHost.nova, deployment: 'package' as const } }
  writeHostTree(root, spec)
  const living = createLivingHost({ root, spec, now: () => new Date(0), newUuid: () => UUID })
  const host = createCommandHost({
    root,
    settings: { ...DEFAULT_COMMANDS, allow: ['create-mdev'] },
    patienceMs: 0,
    pause: async () => {
      living.applyWrites()
    },
  })
  return {
    at: (file: string) => path.join(root, file),
    living,
    run: (over: Partial<CommandOf<'create-mdev'>> = {}) => executeCommand(host, { ...command, ...over }),
  }
}

test.each([
  ['of mdevctl, in one line', DEFINED],
  ['of mdevctl, indented', JSON.stringify({ mdev_type: 'nvidia-105', start: 'auto', attrs: [] }, null, 4)],
  ['without attributes', '{"mdev_type":"nvidia-105","start":"auto"}'],
])('the agent writes its own definition for one %s', async (_, definition) => {
  const { run, at } = open()
  expect(await run({ definition })).toMatchObject({ outcome: 'done', message: `${FILE} defines it.` })
  expect(readFileSync(at(FILE), 'utf8')).toBe(
    '{\n  "mdev_type": "nvidia-105",\n  "start": "auto",\n  "attrs": []\n}\n',
  )
})

test.each([
  ['with an absolute path', '[{"/etc/crontab":"* * * * * root id"}]'],
  ['with a path to a parent', '[{"../../remove":"1"}]'],
  ['with a plain name', '[{"vgpu_params":"frame_rate_limiter=0"}]'],
  ['that are no list', '{"/etc/crontab":"x"}'],
])('a definition whose attributes come %s is refused, active or not', async (_, attributes) => {
  const { run, at, living } = open()
  const definition = `{"mdev_type":"nvidia-105","start":"auto","attrs":${attributes}}`
  for (const isActive of [false, true])
    expect(await run({ definition, isActive })).toEqual({
      outcome: 'refused',
      message: `The definition of mdev ${UUID} has more than its type and start, such as attributes, and the agent writes only these: define it with "mdevctl define --jsonfile".`,
      output: '',
    })
  expect(existsSync(at(FILE))).toBe(false)
  living.applyWrites()
  expect(living.spec().gpus.flatMap(({ slicing }) => slicing?.state.vgpus ?? [])).not.toContainEqual(
    expect.objectContaining({ uuid: UUID }),
  )
})

test('a member that mdevctl does not know is refused', async () => {
  const { run, at } = open()
  const definition = '{"mdev_type":"nvidia-105","start":"auto","callout":"/tmp/x"}'
  expect(await run({ definition })).toMatchObject({ outcome: 'refused' })
  expect(existsSync(at(FILE))).toBe(false)
})

test.each<[string, Partial<CommandOf<'create-mdev'>>, string]>([
  ['a parent that is not there', { parentAddress: '0000:01:00.0' }, 'There is no mdev parent 0000:01:00.0'],
  ['a parent outside of sysfs', { parentAddress: 'etc' }, 'There is no mdev parent etc'],
  ['a type that the parent does not offer', { typeId: 'nvidia-999' }, 'offers no type nvidia-999'],
])('%s is refused for a definition too', async (_, over, words) => {
  const { run, at } = open()
  const definition = DEFINED.replace('nvidia-105', over.typeId ?? 'nvidia-105')
  expect(await run({ ...over, definition })).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining(words),
  })
  expect(existsSync(at('/etc/mdevctl.d')) ? readdirSync(at('/etc/mdevctl.d')) : []).toEqual([])
})

test.each([
  ['the parent as a type', { typeId: '..' }],
  ['a path as a type', { typeId: '../../../../etc' }],
  ['a path as a parent', { parentAddress: '../cron.d' }],
  ['an option as a parent', { parentAddress: '--live' }],
  ['a path as a uuid', { uuid: '../../cron.d/x' }],
])('%s is refused as malformed', async (_, over) => {
  const { run } = open()
  expect(await run(over)).toMatchObject({
    outcome: 'refused',
    message: expect.stringMatching(/^The command is malformed: (typeId|parentAddress|uuid) /),
  })
})

test('a folder of the parent that is a link is not followed', async () => {
  const { run, at } = open()
  mkdirSync(at('/etc/mdevctl.d'), { recursive: true })
  mkdirSync(at('/etc/cron.d'))
  symlinkSync('../cron.d', at(`/etc/mdevctl.d/${SLOT}`))
  for (const isActive of [false, true])
    expect(await run({ isActive })).toMatchObject({
      outcome: 'refused',
      message: `${SLOT} in /etc/mdevctl.d is a link, and the agent follows none there: replace it by a folder.`,
    })
  expect(readdirSync(at('/etc/cron.d'))).toEqual([])
})
