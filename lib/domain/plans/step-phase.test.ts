import { expect, test } from 'vitest'
import { groupByPhase } from './step-phase'

const phases = (...ids: string[]) =>
  groupByPhase(ids.map((id) => ({ id }))).map(({ phase, steps }) => `${phase} ${steps.length}`)

test('consecutive steps of one phase are one group, in their order', () => {
  expect(
    phases(
      'create-trait/CUSTOM_A',
      'close-service/cmp-1',
      'drain-server/s-1',
      'drain-server/s-2',
      'write-config/cmp-1',
      'restart-nova/on/cmp-1',
      'verify-pgpu/cmp-1/0000:18:00.0',
      'move-traits/on/cmp-1_pci',
      'open-service/cmp-1',
    ),
  ).toEqual(['prepare 2', 'drain 2', 'reconfigure 2', 'verify 1', 'reconfigure 1', 'enable 1'])
})

test('a step of an unknown kind reconfigures something, and no steps are no groups', () => {
  expect(phases('something-new/cmp-1', 'constructor')).toEqual(['reconfigure 2'])
  expect(phases()).toEqual([])
})
