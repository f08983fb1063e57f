import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import {
  parseIntent,
  parseStoredInput,
  parseStoredPreview,
  parseStoredStep,
  toStored,
} from '@/lib/domain/plans/stored-plan'
import { type PlannedStep, type StepTask, stepTaskSchema } from '@/lib/domain/plans/types'
import {
  orphanCloud,
  slicedCloud,
  vendorVfioCloud,
  wholeCardCloud,
} from '@/lib/services/testing/hostile/base-clouds'
import { planEverything } from '@/lib/services/testing/hostile/plan-everything'
import { http } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { previewOf } from './plan-change'

const PLANS = [slicedCloud, orphanCloud, wholeCardCloud, vendorVfioCloud].flatMap((build) =>
  planEverything(joinFleet(build())).map(({ name, plan }) => ({ name: `${build.name}: ${name}`, plan })),
)

const asJson = (value: object): unknown => JSON.parse(JSON.stringify(value))
/** As the database returns it. */
const stored = (value: object): unknown => asJson(toStored(value))

const read = (body: unknown, intent: unknown = null) => parseStoredStep({ position: 2, body, intent })

const step: PlannedStep = {
  id: 's',
  title: 'Create CUSTOM_NEW',
  doer: 'console',
  calls: [http`PUT /traits/CUSTOM_NEW`],
  command: sh`openstack trait create ${shellWord('a b')}`,
  undoCommand: sh`:`,
  sees: 'it',
  precondition: 'none',
  check: 'it has it',
  undo: 'deletes it',
  task: { kind: 'create-trait', trait: 'CUSTOM_NEW' },
}

const host = 'cmp-1'
const address = '0000:20:00.0'
const limitScope = { serviceId: 'nova', regionId: null }
const own = { resourceName: 'servers', projectId: 'p1', projectName: 'cfd', seen: null, wanted: 2 }

/** Tasks that no plan of these clouds has. */
const OTHER_TASKS: StepTask[] = [
  { kind: 'await-offer', host, addresses: [address], typeId: 'nvidia-320', typeName: 'T4-8C' },
  {
    kind: 'clear-spares',
    host,
    addresses: [address],
    providers: [{ address, name: 'cmp-1_pci_0000_20_00_0' }],
    typeName: 'T4-8C',
  },
  {
    kind: 'remove-stray-limits',
    serviceId: 'nova',
    registered: [{ resourceName: 'class:VCPU', defaultLimit: 16 }],
    limits: [{ resourceName: 'class:VCPU', projectId: 'p1', projectName: 'cfd', resourceLimit: 12 }],
  },
  {
    kind: 'set-registered-limit',
    stepId: 's',
    limitScope,
    resourceName: 'servers',
    seen: 1,
    wanted: 2,
    overrides: [own],
  },
  { kind: 'switch-vfs', host, address, isOn: true },
]

test('every step that a planner makes is read back as it was, with and without a version', () => {
  const kinds = new Set<string>()
  const steps = [
    ...PLANS.flatMap(({ plan }): readonly PlannedStep[] => plan.steps),
    ...OTHER_TASKS.map((task): PlannedStep => ({ ...step, task })),
  ]
  for (const planned of steps) {
    kinds.add(planned.task.kind)
    const readBack = { body: planned, intent: null }
    expect(read(stored(planned)), planned.title).toStrictEqual(readBack)
    expect(read(asJson({ ...planned, encoders: 1 })), planned.title).toStrictEqual(readBack)
  }
  expect(kinds).toEqual(stepTaskSchema._zod.propValues.kind)
})

test('every preview that a planner makes is read back as it was, with and without a version', () => {
  for (const { name, plan } of PLANS) {
    const preview = previewOf(plan)
    expect(parseStoredPreview(plan.kind, stored(preview)), name).toStrictEqual(preview)
    const { kind: _, ...unversioned } = preview
    const old = asJson({ typeChange: null, ...unversioned })
    expect(parseStoredPreview(plan.kind, old), name).toStrictEqual(preview)
  }
})

test('a step that was stored before there were versions is read as it was', () => {
  expect(read({ ...step, encoders: 1 }, { created: 'CUSTOM_NEW' })).toEqual({
    body: step,
    intent: { created: 'CUSTOM_NEW' },
  })
})

test('commands of a step from before the encoders are withheld', () => {
  const { body } = read({ ...step, command: 'bind_driver cmp-1 0000:18:00.0 x; touch owned vfio-pci' })
  expect(body).toMatchObject({ calls: [], title: step.title, task: step.task })
  for (const text of [body.command, body.undoCommand]) {
    expect(text).not.toContain('owned')
    expect(text).toMatch(/plan the change again.* >&2; exit 1$/)
  }
})

const DAMAGE = 'its row in the database is damaged'

const DAMAGED: [string, unknown, string][] = [
  ['a newer version', { ...step, version: 3 }, 'a newer version of the console stored it'],
  ['no object', [step], 'its row in the database is damaged'],
  ['null', null, 'its row in the database is damaged'],
  ['an odd version', { ...step, version: 'x' }, 'its row in the database is damaged'],
  ['no title', { ...step, version: 1, title: undefined }, 'its row in the database is damaged at title'],
]

test.each(DAMAGED)('a step with %s is shown as one that cannot be read, and why', (_, body, because) => {
  expect(read(body).body).toMatchObject({
    title: 'Step 3 cannot be read',
    sees: `The step is unknown: ${because}.`,
    task: { kind: 'unreadable', because },
  })
})

test.each([
  ['of an unknown kind', { kind: 'reboot', host: 'cmp-1' }, 'task.kind'],
  ['without a value', { kind: 'create-trait' }, 'task.trait'],
  ['with a value of another type', { kind: 'create-trait', trait: 7 }, 'task.trait'],
])('a task %s cannot be run, and the texts of its step are shown', (_, task, path) => {
  expect(read({ ...step, version: 1, task }).body).toMatchObject({
    title: step.title,
    command: step.command,
    task: { kind: 'unreadable', because: `its row in the database is damaged at ${path}` },
  })
})

test('a damaged record still counts as an effect, and the step cannot be run', () => {
  expect(read(stored(step), ['x'])).toMatchObject({ intent: {}, body: { task: { kind: 'unreadable' } } })
  expect(parseIntent({ version: 3, created: 'x' })).toMatchObject({ intent: null })
  expect(parseIntent({ version: 1, created: 'x' })).toEqual({ intent: { created: 'x' }, because: null })
})

test('an input is read with and without a version, and a damaged one is null', () => {
  const input = { cloud: null, kind: 'orphans', gpus: 'all' }
  expect([parseStoredInput(input), parseStoredInput({ ...input, version: 1 })]).toEqual([input, input])
  expect(parseStoredInput({ ...input, version: 3 })).toBeNull()
  expect(parseStoredInput({ ...input, gpus: 7 })).toBeNull()
})

test('an input with the names of version 1, or of none, is read with the present ones', () => {
  const traits = { cloud: null, kind: 'traits', gpus: { type: 'T4-8C' }, rule: null, providerConfig: 'leave' }
  for (const version of [{}, { version: 1 }])
    expect(parseStoredInput({ ...traits, isKept: true, ...version })).toEqual({ ...traits, isManaged: true })
  const change = { do: 'change', flavorIds: ['f'], trait: null, set: {}, unset: [], grant: [], revoke: [] }
  const flavor = { cloud: null, kind: 'flavor' }
  expect(parseStoredInput({ ...flavor, wish: change, isLandingNowhereAccepted: true, version: 1 })).toEqual({
    ...flavor,
    input: change,
    isNoMatchAccepted: true,
  })
})

test('a task with the names of version 1 is read with the present ones', () => {
  const task = { kind: 'create-registered-limits', limits: [{ resourceName: 'servers', defaultLimit: 5 }] }
  for (const version of [{ encoders: 1 }, { version: 1 }])
    expect(read({ ...step, task: { ...task, place: limitScope }, ...version }).body.task).toEqual({
      ...task,
      limitScope,
    })
})

const nothing = { targets: [], refusals: [], unchanged: [], flavors: [] }

test('a preview that was stored before there were versions gets its kind, and what an older console left out', () => {
  expect(parseStoredPreview('orphans', { ...nothing, typeChange: null })).toEqual({
    kind: 'orphans',
    ...nothing,
  })
  expect(parseStoredPreview('type', nothing)).toEqual({ kind: 'type', ...nothing, typeChange: null })
  expect(parseStoredPreview('traits', { ...nothing, typeChange: null })).toEqual({
    kind: 'traits',
    ...nothing,
    traitTexts: { files: [], deviceSpecs: [] },
    traitNaming: null,
  })
})

/** Names of version 1 by the current ones; no plan of these clouds has `freeCapacity`. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  max: 'most',
  placementPreview: 'landing',
  unknown: 'untold',
}

test('every preview that a planner makes is read from the names of version 1', () => {
  const renamed = new Set<string>()
  for (const { name, plan } of PLANS) {
    const preview = previewOf(plan)
    const text = JSON.stringify(preview).replace(/"(\w+)":/g, (whole, member: string) => {
      const old = OLD_NAMES[member]
      if (old === undefined) return whole
      renamed.add(member)
      return `"${old}":`
    })
    expect(parseStoredPreview(plan.kind, { ...JSON.parse(text), version: 1 }), name).toStrictEqual(preview)
  }
  expect([...renamed].toSorted()).toEqual(Object.keys(OLD_NAMES).toSorted())
})

test('a preview with the names of version 1 is read with the present ones', () => {
  const room = { pgpus: 2, because: null }
  const flavor = { flavorId: 'f', name: 'room', before: 1, after: 2 }
  const rest = { kind: 'traits', ...nothing, traitTexts: { files: [], deviceSpecs: [] }, traitNaming: null }
  expect(parseStoredPreview('traits', { ...rest, flavors: [{ ...flavor, room }], version: 1 })).toEqual({
    ...rest,
    flavors: [{ ...flavor, freeCapacity: room }],
  })
})

test.each([
  [
    'of a newer version',
    'orphans',
    { version: 3, kind: 'orphans', ...nothing },
    'a newer version of the console stored it',
  ],
  ['of an unknown kind', 'reboot', { version: 1, kind: 'reboot', ...nothing }, `${DAMAGE} at kind`],
  [
    'of another kind than its change',
    'type',
    { version: 1, kind: 'orphans', ...nothing },
    `${DAMAGE} at kind`,
  ],
  ['without its part', 'limits', { version: 1, kind: 'limits', ...nothing }, `${DAMAGE} at limitChange`],
  ['with another list', 'orphans', { ...nothing, targets: 'none' }, `${DAMAGE} at targets`],
  ['that is no object', 'orphans', null, DAMAGE],
])('a preview %s cannot be read, and why', (_, kind, value, because) => {
  expect(parseStoredPreview(kind, value)).toEqual({ kind: 'unreadable', because, ...nothing })
})
