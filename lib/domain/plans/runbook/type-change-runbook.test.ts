import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { planTypeChange } from '../type-change/plan-type-change'
import type { PlannedStep } from '../types'
import { renderShellRunbook } from './render-runbook'
import { BASE_FUNCTIONS, typeChangeFunctions } from './runbook-functions'

/** Providers exist and offer two vGPUs; other calls are written down, and a migrated server leaves. What FAILS names is refused. */
const OPENSTACK = `#!/bin/sh
case "$*" in
  "$FAILS"*) echo "HTTP 401" >&2; exit 1 ;;
  "compute service list"*) echo "$SERVICE" ;;
  "resource provider list"*) echo uuid-1 ;;
  "resource provider usage show"*) echo "$USED" ;;
  "resource provider inventory list"*) echo "VGPU 2" ;;
  "resource provider trait list"*) printf 'CUSTOM_RACK_7\\nCUSTOM_T4_4C\\n' ;;
  "server list"*VERIFY_RESIZE*) [ ! -e "$STATE/resized" ] || cat "$STATE/resized" ;;
  "server list"*) cat "$STATE/there" ;;
  *)
    printf '%s|' "$@" >> "$STATE/calls"
    echo >> "$STATE/calls"
    case "$*" in *"server migrate"*) [ -n "$STUCK" ] || mv "$STATE/there" "$STATE/resized"; touch "$STATE/there" ;; esac ;;
esac
`
const SSH = `#!/bin/sh
case "$*" in
  *available_instances*) echo 2 ;;
  *libvirt/qemu*) echo "$HELD" ;;
  *) printf 'ssh|%s|' "$*" >> "$STATE/calls"; echo >> "$STATE/calls" ;;
esac
`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sliceboard-runbook-'))
  for (const [name, text] of [
    ['openstack', OPENSTACK],
    ['ssh', SSH],
    ['sleep', '#!/bin/sh\n'],
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

const SERVER = 'aaaaaaaa-0000-4000-8000-000000000001'

type World = {
  used?: string
  fails?: string
  service?: string
  held?: string
  stuck?: string
  /** Servers on the host. */
  there?: readonly string[]
}

const play = (args: readonly string[], world: World = {}): string[] => {
  const { used = '0', fails = 'nothing', service = 'enabled None', held = '', stuck = '', there } = world
  writeFileSync(join(folder, 'calls'), '')
  if (there !== undefined) writeFileSync(join(folder, 'there'), there.map((uuid) => `${uuid}\n`).join(''))
  execFileSync('sh', args, {
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH ?? ''}`,
      STATE: folder,
      USED: used,
      FAILS: fails,
      SERVICE: service,
      HELD: held,
      STUCK: stuck,
    },
    stdio: 'pipe',
  })
  return readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n')
}

/** Tests cannot press Enter, so every prompt counts as confirmed. */
const run = (args: string[], world: World = {}): string[] => {
  const script = join(folder, 'change.sh')
  const planned = steps()
  const text = renderShellRunbook({ id: 7, title: 'T4-8C', cloud: 'paris', steps: planned })
  writeFileSync(script, text.replace('read -r _ </dev/tty', ':'))
  const there = planned.flatMap(({ task }) => (task.kind === 'drain-server' ? [task.serverUuid] : []))
  return play([script, ...args], { there, ...world })
}

/** One line of a runbook with its functions. */
const call = (line: string, world: World = {}): string[] => {
  const functions = typeChangeFunctions([`${line} `])
  const script = `set -eu\n${BASE_FUNCTIONS}\non_host() { ssh "root@$1" "$2"; }\n${functions}${line}`
  return play(['-c', script], { there: [SERVER], ...world })
}

test('the script closes, moves, removes, restarts, tags and opens, in this order', () => {
  expect(run([])).toEqual([
    'trait|create|CUSTOM_T4_8C|',
    expect.stringMatching(/^compute\|service\|set\|--disable\|--disable-reason=Sliceboard: T4-4C to T4-8C/),
    expect.stringMatching(/^--os-compute-api-version\|2\.30\|server\|migrate\|--live-migration\|--wait\|/),
    expect.stringMatching(/^ssh\|root@cmp-1 .*; then echo 1 > .*\/remove; fi && .*mdevctl undefine -u /),
    'resource|provider|trait|set|--trait|CUSTOM_RACK_7|uuid-1|',
    'ssh|root@cmp-1 systemctl restart nova-compute|',
    'resource|provider|trait|set|--trait|CUSTOM_RACK_7|--trait|CUSTOM_T4_4C|--trait|CUSTOM_T4_8C|uuid-1|',
    'compute|service|set|--enable|--|cmp-1|nova-compute|',
  ])
})

test('with undo it closes first and opens last', () => {
  const calls = run(['undo'])
  expect(calls[0]).toContain('--disable')
  expect(calls.at(-2)).toContain('--enable')
  const spares = calls.findIndex((line) => line.includes('/sys/class/mdev_bus/0000:20:00.0/*'))
  const restart = calls.indexOf('ssh|root@cmp-1 systemctl restart nova-compute|')
  expect(spares).toBeGreaterThan(0)
  expect(restart).toBeGreaterThan(spares)
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

test('run again, it moves no server that has left, and ends the same', () => {
  const first = run([])
  const again = run([], { there: [] })
  expect(again).toEqual(first.filter((line) => !line.includes('|migrate|')))
})

test('waiting for a server ends when Nova lists it elsewhere, and where Nova does not answer it fails', () => {
  expect(call(`await_away ${SERVER} cmp-1`, { there: [] })).toEqual([''])
  expect(() => call(`await_away ${SERVER} cmp-1`, { fails: 'server list' })).toThrow(/HTTP 401/)
})

test('a cold migration is confirmed, also one that an earlier run left unconfirmed', () => {
  const confirm = `server|migration|confirm|${SERVER}|`
  expect(call(`move_server cold ${SERVER} cmp-1`)).toEqual([`server|migrate|--wait|${SERVER}|`, confirm])
  expect(call(`move_server cold ${SERVER} cmp-1`, { there: [] })).toEqual([confirm])
})

test.each(['live', 'cold'])('a %s migration that Nova refuses, or that leaves the server, ends it', (way) => {
  const move = `move_server ${way} ${SERVER} cmp-1; echo continued >> "$STATE/calls"`
  const refused = way === 'live' ? '--os-compute-api-version 2.30 server migrate' : 'server migrate'
  expect(() => call(move, { fails: refused })).toThrow(/HTTP 401/)
  expect(() => call(move, { stuck: 'yes' })).toThrow(/is still on cmp-1/)
  expect(readFileSync(join(folder, 'calls'), 'utf8')).not.toContain('continued')
})

test('an mdev that a guest names is not removed, and spares are checked one by one', () => {
  const held = '/etc/libvirt/qemu/instance-1.xml'
  expect(() => run([], { held })).toThrow(/is used in \/etc\/libvirt\/qemu\/instance-1\.xml/)
  expect(readFileSync(join(folder, 'calls'), 'utf8')).not.toMatch(/remove|systemctl/)
  writeFileSync(
    join(folder, 'ssh'),
    SSH.replace('case', 'case "$*" in *mdev_bus*) echo m-1; exit ;; esac\ncase'),
  )
  expect(() => call('remove_spares cmp-1 0000:20:00.0', { held })).toThrow(/m-1 of cmp-1 is used in/)
})

test('a plan that was saved before it named the unit still restarts nova-compute', () => {
  expect(call('restart_nova cmp-1')).toEqual(['ssh|root@cmp-1 systemctl restart nova-compute|'])
})

test('a unit of a user is restarted as that user', () => {
  expect(call('restart_nova cmp-1 n-cpu 1000')).toEqual([
    "ssh|root@cmp-1 sudo -u '#1000' XDG_RUNTIME_DIR=/run/user/1000 systemctl --user restart n-cpu|",
  ])
})

test('what libvirt in a container has defined goes by its file', () => {
  const [removed = ''] = call('remove_mdev cmp-1 m-1 0000:20:00.0 /merged/etc/mdevctl.d/m-1')
  expect(removed).toContain('rm -f -- /merged/etc/mdevctl.d/m-1')
  expect(removed).not.toContain('mdevctl undefine')
})

test('a PCI device is looked for as guest XML names it', () => {
  const xml = "<address domain='0x0000' bus='0x41' slot='0x00' function='0x4'/>"
  const ssh = SSH.replace('*libvirt/qemu*)', `*libvirt/qemu*"${xml.replaceAll("'", `'\\''`)}"*)`)
  writeFileSync(
    join(folder, 'ssh'),
    ssh.replace('case', 'case "$*" in *"basename"*) echo nvidia; exit ;; esac\ncase'),
  )
  const bind = 'bind_driver cmp-1 0000:41:00.4 nvidia vfio-pci'
  expect(() => call(bind, { held: 'instance-2.xml' })).toThrow(/is used in instance-2\.xml/)
})

test('a host that another user has closed is neither closed nor opened by it', () => {
  const service = 'disabled memory is broken'
  expect(() => run([], { service })).toThrow(/disabled memory is broken, and not by this change/)
  expect(readFileSync(join(folder, 'calls'), 'utf8')).not.toContain('--disable')
  expect(() => call("open_host cmp-1 'Sliceboard: T4'", { service })).toThrow(/find out who did this/)
  expect(call("open_host cmp-1 'Sliceboard: T4'", { service: 'disabled Sliceboard: T4' })).toHaveLength(1)
})

test('where it stops, it states how to continue, and continues there', () => {
  const step = steps().findIndex(({ id }) => id.startsWith('await-empty/')) + 1
  expect(() => run([], { used: '1' })).toThrow(new RegExp(`Stopped at step ${step}\\. .* from ${step}`))
  expect(run(['from', `${step}`])[0]).toMatch(/mdevctl undefine/)
  expect(run(['only', '2'])).toEqual([expect.stringContaining('--disable')])
  // A step that was not reached is not reverted.
  expect(run(['undo', 'from', '2'])).toEqual([
    expect.stringContaining('--enable'),
    'trait|delete|CUSTOM_T4_8C|',
  ])
  expect(() => run(['from', 'two'])).toThrow(/Usage/)
})
