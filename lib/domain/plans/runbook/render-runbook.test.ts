import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { http } from '@/lib/util/encode/http'
import { sh, shellArguments } from '@/lib/util/encode/shell'
import type { PlannedStep } from '../types'
import { renderMarkdownRunbook, renderShellRunbook } from './render-runbook'

/** Replaces the real command: lists two traits and records how it was called. */
const FAKE = `#!/bin/sh
case "$*" in
  "resource provider show"*) echo "node's_pci_0000_3b_00_0" ;;
  "resource provider trait list"*) printf 'CUSTOM_FOREIGN\\nCUSTOM_OLD\\n' ;;
  *) printf '%s|' "$@" >> "$CALLS"; echo >> "$CALLS" ;;
esac
`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sliceboard-runbook-'))
  writeFileSync(join(folder, 'openstack'), FAKE)
  chmodSync(join(folder, 'openstack'), 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const LABELS = ['u-1', "node's_pci_0000_3b_00_0", 'CUSTOM_NEW', 'CUSTOM_OLD']

const step = (over: Partial<PlannedStep>): PlannedStep => ({
  id: 's',
  title: 'Put CUSTOM_NEW on it',
  doer: 'console',
  calls: [http`PUT /x`],
  command: sh`retag ${shellArguments(LABELS)}`,
  undoCommand: sh`untag ${shellArguments(LABELS)}`,
  sees: 'it',
  precondition: 'none',
  check: 'it has it',
  undo: 'takes it off',
  task: { kind: 'create-trait', trait: 'CUSTOM_NEW' },
  ...over,
})

const runbook = (steps: PlannedStep[], title = 'CUSTOM_NEW on 1 pGPU') => ({
  id: 7,
  title,
  cloud: 'paris',
  steps,
})

const run = (steps: PlannedStep[], args: string[], title?: string): string[] => {
  const script = join(folder, 'change.sh')
  const calls = join(folder, 'calls')
  writeFileSync(calls, '')
  writeFileSync(script, renderShellRunbook(runbook(steps, title)))
  execFileSync('sh', [script, ...args], {
    env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}`, CALLS: calls },
    stdio: 'pipe',
  })
  return readFileSync(calls, 'utf8').trimEnd().split('\n')
}

test('the script keeps foreign traits, adds the new one and removes the old one', () => {
  expect(run([step({})], [])).toEqual([
    'resource|provider|trait|set|--trait|CUSTOM_FOREIGN|--trait|CUSTOM_NEW|u-1|',
  ])
})

test('run with undo it does the opposite', () => {
  expect(run([step({})], ['undo'])).toEqual([
    'resource|provider|trait|set|--trait|CUSTOM_FOREIGN|--trait|CUSTOM_OLD|u-1|',
  ])
})

test('a provider of another name stops the script', () => {
  const other = step({ command: sh`retag u-1 other CUSTOM_NEW` })
  expect(() => run([other], [])).toThrow()
})

test('words that mean something to a shell mean nothing in it', () => {
  const title = 'Put $(touch owned) `touch owned`\n"; touch owned; \' on it'
  run([step({ title })], [], title)
  expect(() => readFileSync(join(process.cwd(), 'owned'))).toThrow()
})

test('the Markdown contains every step with its call, its check and its undo', () => {
  const text = renderMarkdownRunbook(
    runbook([step({}), step({ title: 'Second', calls: [http`GET /y`, http`PUT /y`] })]),
  )
  expect(text).toContain('## 2. Second')
  for (const part of ['PUT /x', 'GET /y\nPUT /y', 'Check: it has it', 'Undo: takes it off', '#!/bin/sh'])
    expect(text).toContain(part)
})
