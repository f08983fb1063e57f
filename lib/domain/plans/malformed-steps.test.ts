import { expect, test } from 'vitest'
import { allSteps } from '@/lib/util/all-steps'
import { sh } from '@/lib/util/encode/shell'
import { malformedReason } from './malformed/malformed'
import { malformedStep } from './malformed-steps'
import type { PlannedStep, StepTask } from './types'

const step = (task: StepTask): PlannedStep => ({
  id: task.kind,
  title: 'A step',
  doer: 'console',
  calls: [],
  command: sh`:`,
  undoCommand: sh`:`,
  sees: '',
  precondition: '',
  check: '',
  undo: '',
  task,
})

const reasonOf = (task: StepTask): string | null => {
  const found = allSteps(malformedStep([step(task)]))
  return found === null ? null : malformedReason(found)
}

const bind = {
  kind: 'bind-driver',
  host: 'cmp-1',
  pgpuAddress: '0000:20:00.0',
  address: '0000:20:00.0',
} as const
const config = {
  parents: [{ address: '0000:20:00.0', typeId: 'nvidia-319' }],
  types: [{ typeId: 'nvidia-319', addresses: null, mdevClass: null, maxInstances: null }],
}

test('what has its form is planned, and names that people choose are not judged', () => {
  expect(reasonOf({ ...bind, from: null, to: 'vfio-pci' })).toBeNull()
  expect(reasonOf({ ...bind, address: '', from: null, to: 'vfio-pci' })).toBeNull()
  expect(reasonOf({ kind: 'create-aggregate', aggregate: "it's $(a) `name` 👩‍💻" })).toBeNull()
  expect(
    reasonOf({
      kind: 'set-extra-specs',
      flavorId: 'g1',
      flavorName: 'x; y',
      changes: [{ key: 'resources:VGPU', seen: null, wanted: 'any; value' }],
    }),
  ).toBeNull()
})

test.each<[string, StepTask, string]>([
  ['a driver', { ...bind, from: 'nvidia; id', to: 'vfio-pci' }, 'from of the step “A step” is "nvidia; id"'],
  [
    'a type deep in a layout',
    {
      kind: 'write-config',
      host: 'cmp-1',
      before: config,
      after: {
        ...config,
        types: [{ typeId: 'x\nEND', addresses: null, mdevClass: null, maxInstances: null }],
      },
      file: '99-sliceboard-mdev.conf',
      startedAt: null,
    },
    'typeId of the step “A step” is "x\\u{a}END"',
  ],
  ['a trait', { kind: 'create-trait', trait: 'CUSTOM x' }, 'trait of the step'],
  [
    'the key of an extra spec',
    {
      kind: 'set-extra-specs',
      flavorId: 'g1',
      flavorName: 'g1',
      changes: [{ key: "resources:VGPU'", seen: null, wanted: '1' }],
    },
    'key of the step',
  ],
  [
    'the id of a project',
    {
      kind: 'set-project-limits',
      stepId: 's',
      limitScope: { serviceId: 'nova', regionId: 'RegionOne' },
      limits: [{ resourceName: 'servers', projectId: '$(id)', projectName: 'p', seen: 1, wanted: 2 }],
    },
    'projectId of the step',
  ],
  [
    'a control character where any text may stand',
    {
      kind: 'restart-nova',
      host: 'cmp-1\u001b[2J',
      service: 'x',
      direction: 'on',
      startedAt: null,
      evidence: [],
      isTelling: false,
    },
    'host of the step “A step” is "cmp-1\\u{1b}[2J"',
  ],
])('%s that is malformed is found, wherever in a step', (_, task, words) => {
  expect(reasonOf(task)).toContain(words)
})
