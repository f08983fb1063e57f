import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Parser } from 'commonmark'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { novaConf, novaConfValue } from '@/lib/util/encode/nova-conf'
import { heredoc, sh } from '@/lib/util/encode/shell'
import { createTraitStep } from '../create-trait-step'
import { createAggregateStep } from '../flavor-steps/draft-aggregate'
import { extraSpecsStep } from '../flavor-steps/flavor-steps'
import { layoutText } from '../host-steps/layout-text'
import { removeMdevStep } from '../host-steps/remove-mdev-step'
import { bindSteps } from '../passthrough/card-steps'
import type { PlannedStep } from '../types'
import { renderMarkdownRunbook, renderShellRunbook } from './render-runbook'

/** Each of them creates the file `owned` where a shell takes a part of it for a command. */
const HOSTILE = [
  'x; touch owned',
  "x'; touch owned; '",
  "x'\\''; touch owned; '\\''",
  '$(touch owned)',
  '`touch owned`',
  'x\nEND\ntouch owned\ncat <<END',
  'x | touch owned',
  'x > owned # touch owned',
]

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sliceboard-hostile-'))
  const stubs = join(folder, 'bin')
  mkdirSync(stubs)
  mkdirSync(join(folder, 'work'))
  const stub = (name: string, text: string): void => {
    writeFileSync(join(stubs, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(stubs, name), 0o755)
  }
  // What ssh runs on the host runs here, with stubs for all that would change the machine.
  stub('ssh', 'shift\nexec sh -c "$*"')
  for (const name of ['openstack', 'mdevctl', 'virsh', 'modprobe', 'systemctl', 'rm', 'mkdir', 'mv'])
    stub(name, ':')
  stub('sleep', ':')
  stub('basename', 'echo nvidia')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const runIn = (script: string, shells: readonly string[], args: readonly string[] = []): void => {
  const file = join(folder, 'change.sh')
  writeFileSync(file, script.replace('read -r _ </dev/tty', ':'))
  for (const shell of shells) {
    const { stderr } = spawnSync(shell, [file, ...args], {
      cwd: join(folder, 'work'),
      env: { ...process.env, PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, GUEST_XML: folder },
      encoding: 'utf8',
    })
    expect(stderr).not.toContain('yntax error')
    expect(readdirSync(join(folder, 'work'))).toEqual([])
  }
}

const [joined] = joinFleet(t4Cloud()).hosts
const [entry] = joined?.pgpus ?? []
if (joined === undefined || entry === undefined) throw new Error('the cloud has no card')

/** Steps as planners build them, with values that planning refuses today: the encoders must hold without that. */
const stepsWith = (text: string): readonly PlannedStep[] => {
  const named = { flavorId: text, flavorName: text }
  const target = { entry: { ...entry, pgpu: { ...entry.pgpu, driver: text } } }
  const draft = { joined, targets: [target], to: 'sliced' } as unknown as Parameters<typeof bindSteps>[0]
  const mdev = { host: 'cmp-1', service: 'cmp-1', pgpuAddress: text, uuid: text, parent: text, typeId: text }
  return [
    createTraitStep(text),
    ...bindSteps(draft),
    removeMdevStep(joined, {
      ...mdev,
      kind: 'remove-mdev',
      typeName: text,
      isActive: true,
      start: 'auto',
      providerName: text,
      definedAt: text,
    }),
    extraSpecsStep(named, [{ key: 'pci_passthrough:alias', seen: null, wanted: `${text}:1` }]),
    createAggregateStep(text),
  ]
}

test.each(HOSTILE)('a driver, a path and an alias of %j run nothing, step by step and backwards', (text) => {
  const steps = stepsWith(text)
  expect(steps.map(({ command, undoCommand }) => command + undoCommand).join()).toContain('touch owned')
  const script = renderShellRunbook({ id: 7, title: text, cloud: text, steps })
  execFileSync('sh', ['-n'], { input: script })
  for (let number = 1; number <= steps.length; number += 1) {
    runIn(script, ['sh'], ['only', `${number}`])
    runIn(script, ['sh'], ['undo', 'only', `${number}`])
  }
})

test.each(HOSTILE)('a vGPU type or CPU set of %j ends no here-document', (text) => {
  const layout = {
    types: [{ typeId: text, addresses: [text], mdevClass: text, maxInstances: null }],
    parents: [],
  } as unknown as Parameters<typeof layoutText>[0]
  const cpus = novaConf`[compute]\ncpu_shared_set = ${novaConfValue(text)}`
  runIn(heredoc(sh`cat >/dev/null`, layoutText(layout)), ['sh', 'bash'])
  runIn(heredoc(sh`cat >/dev/null`, cpus), ['sh', 'bash'])
  const options = layoutText(layout)
    .split('\n')
    .filter((line) => !/^(\[|$)/.test(line))
  expect(options.map((line) => line.split(' = ')[0])).toEqual([
    'enabled_mdev_types',
    'device_addresses',
    'mdev_class',
  ])
})

const titled = (title: string): PlannedStep => ({
  ...createTraitStep('CUSTOM_A'),
  title,
  sees: title,
  command: sh`:`,
})

test('a backslash sequence of a title reaches no terminal as an escape', () => {
  const script = renderShellRunbook({
    id: 7,
    title: 'x',
    cloud: 'x',
    steps: [titled('\\0033[31m\u001b[31m')],
  })
  for (const shell of ['dash', 'bash']) {
    writeFileSync(join(folder, 'change.sh'), script)
    const { stdout } = spawnSync(shell, [join(folder, 'change.sh')], { encoding: 'utf8' })
    expect(stdout).toContain('\\0033[31m⟨U+001B⟩[31m')
    expect(stdout).not.toContain('\u001b')
  }
})

test('names in Markdown are shown literally: no HTML, no link, no code, no heading', () => {
  const name = '<img src=x onerror=a()> [a](https://evil.example) `b` ```\n# c https://evil.example'
  const markdown = renderMarkdownRunbook({ id: 7, title: name, cloud: name, steps: [titled(name)] })
  const walker = new Parser().parse(markdown).walker()
  const types: string[] = []
  for (let event = walker.next(); event !== null; event = walker.next())
    if (event.entering) types.push(event.node.type)
  expect(types).not.toContain('html_inline')
  expect(types).not.toContain('html_block')
  expect(types).not.toContain('link')
  expect(types).not.toContain('image')
  expect(types.filter((type) => type === 'heading')).toHaveLength(3)
  expect(types.filter((type) => type === 'code_block')).toHaveLength(2)
})
