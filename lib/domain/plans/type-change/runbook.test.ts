import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { renderShellRunbook } from '../render-runbook'
import type { PlannedStep } from '../types'
import { planTypeChange } from './plan-type-change'
import { typeChangeFunctions } from './runbook-functions'

/** Providers exist, offer two vGPUs and have none in use; every other call is written down. What FAILS names is refused. */
const OPENSTACK = `#!/bin/sh
case "$*" in
  "$FAILS"*) echo "HTTP 401" >&2; exit 1 ;;
  "resource provider list"*) echo uuid-1 ;;
  "resource provider usage show"*) echo "$USED" ;;
  "resource provider inventory list"*) echo "VGPU 2" ;;
  "resource provider trait list"*) printf 'CUSTOM_RACK_7\\nCUSTOM_T4_4C\\n' ;;
  "server list"*) ;;
  *) printf '%s|' "$@" >> "$CALLS"; echo >> "$CALLS" ;;
esac
`
const SSH = `#!/bin/sh
case "$*" in
  *available_instances*) echo 2 ;;
  *) printf 'ssh|%s|' "$*" >> "$CALLS"; echo >> "$CALLS" ;;
esac
`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sliceboard-runbook-'))
  for (const [name, text] of [
    ['openstack', OPENSTACK],
    ['ssh', SSH],
  ] as const) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const steps = (): readonly PlannedStep[] => {
  const fleet = joinFleet(
    buildHealthyCloud([
      { cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false },
      { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
    ]),
  )
  return planTypeChange(fleet, {
    gpus: [{ host: 'cmp-1', address: '0000:20:00.0' }],
    typeId: 'nvidia-320',
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held: [],
  }).steps
}

/** Nobody presses Enter in a test: what waits for it is taken as read. */
const run = (args: string[], { used = '0', fails = 'nothing' } = {}): string[] => {
  const script = join(folder, 'change.sh')
  const calls = join(folder, 'calls')
  writeFileSync(calls, '')
  const text = renderShellRunbook({ id: 7, title: 'T4-8C', cloud: 'paris', steps: steps() })
  writeFileSync(script, text.replace('read -r _ </dev/tty', ':'))
  execFileSync('sh', [script, ...args], {
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH ?? ''}`,
      CALLS: calls,
      USED: used,
      FAILS: fails,
    },
    stdio: 'pipe',
  })
  return readFileSync(calls, 'utf8').trimEnd().split('\n')
}

test('the script closes, moves, removes, restarts, tags and opens, in this order', () => {
  expect(run([])).toEqual([
    'trait|create|CUSTOM_T4_8C|',
    expect.stringMatching(/^compute\|service\|set\|--disable\|--disable-reason\|Sliceboard: T4-4C to T4-8C/),
    expect.stringMatching(/^server\|migrate\|--live-migration\|--wait\|/),
    expect.stringMatching(/^ssh\|root@cmp-1 echo 1 > .*\/remove && mdevctl undefine -u /),
    'resource|provider|trait|set|--trait|CUSTOM_RACK_7|uuid-1|',
    'ssh|root@cmp-1 systemctl restart nova-compute|',
    'resource|provider|trait|set|--trait|CUSTOM_RACK_7|--trait|CUSTOM_T4_4C|--trait|CUSTOM_T4_8C|uuid-1|',
    'compute|service|set|--enable|cmp-1|nova-compute|',
  ])
})

test('with undo it closes first and opens last', () => {
  const calls = run(['undo'])
  expect(calls[0]).toContain('--disable')
  expect(calls.at(-2)).toContain('--enable')
  expect(calls).toContain('ssh|root@cmp-1 systemctl restart nova-compute|')
})

test('it stops before nova.conf while something is in use', () => {
  expect(() => run([], { used: '1' })).toThrow(/in use/)
})

test.each(['resource provider usage show', 'resource provider trait list'])(
  'where `openstack %s` fails nothing is taken for an answer: it ends before nova.conf is touched',
  (fails) => {
    expect(() => run([], { fails })).toThrow(/HTTP 401/)
    expect(readFileSync(join(folder, 'calls'), 'utf8')).not.toContain('systemctl restart')
  },
)

test('waiting for a server ends when Nova lists it elsewhere, and where Nova does not answer it fails', () => {
  const script = `set -eu\n${typeChangeFunctions(['await_away a b'])}await_away srv-1 cmp-1`
  const wait = (fails: string) =>
    execFileSync('sh', ['-c', script], {
      env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}`, FAILS: fails },
      stdio: 'pipe',
    })
  expect(wait('nothing').toString()).toBe('')
  expect(() => wait('server list')).toThrow(/HTTP 401/)
})
