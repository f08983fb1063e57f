import { expect, test } from 'vitest'
import type { PlannedStep } from '@/lib/domain/plans/types'
import { http } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { type StoredStep, stepsToStore, storedStep } from './stored-steps'

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

const asJson = (value: unknown): StoredStep => JSON.parse(JSON.stringify(value)) as StoredStep

test('a step is read back as it was saved', () => {
  const [stored] = stepsToStore([step])
  expect(storedStep(asJson(stored))).toEqual(step)
})

test('commands of a step from before the encoders are withheld', () => {
  const old = asJson({ ...step, command: 'bind_driver cmp-1 0000:18:00.0 x; touch owned vfio-pci' })
  const { command, undoCommand, calls, title } = storedStep(old)
  expect({ calls, title }).toEqual({ calls: [], title: step.title })
  for (const text of [command, undoCommand]) {
    expect(text).not.toContain('owned')
    expect(text).toMatch(/plan the change again.* >&2; exit 1$/)
  }
})
