import { expect, test } from 'vitest'
import type { RemoveMdevTask } from '@/lib/domain/plans/host-steps/tasks'
import { agentCommandSchema } from '@/lib/schemas/agent/command'
import { removeMdevHandler } from './remove-mdev'

const TASK: RemoveMdevTask = {
  kind: 'remove-mdev',
  host: 'cmp-1',
  service: 'cmp-1',
  pgpuAddress: '0000:20:00.0',
  uuid: '7595b254-5df5-47f4-a911-0fd58ce9b659',
  parent: '0000:20:00.0',
  typeId: 'nvidia-319',
  typeName: 'T4-4C',
  isActive: true,
  start: 'auto',
  providerName: 'cmp-1_pci_0000_20_00_0',
}
const intent = { isActive: false, start: 'auto' }
const undo = (previous: string | null) => removeMdevHandler.undoCommand(TASK, { intent, previous })

test.each([
  ['that mdevctl wrote', '{"mdev_type":"nvidia-319","start":"auto","attrs":[]}'],
  ['that the agent did not return', null],
])('a definition %s is recreated from its type and start', (_, previous) => {
  const command = undo(previous)
  expect(agentCommandSchema.parse(command)).toEqual({
    name: 'create-mdev',
    uuid: TASK.uuid,
    typeId: 'nvidia-319',
    parentAddress: TASK.parent,
    isActive: false,
    definition: '{\n  "mdev_type": "nvidia-319",\n  "start": "auto",\n  "attrs": []\n}\n',
  })
})

test('a definition with attributes is left to a person, and never sent', () => {
  const previous = '{"mdev_type":"nvidia-319","start":"auto","attrs":[{"/etc/crontab":"* * * * * root id"}]}'
  expect(undo(previous)).toEqual({ byHand: expect.stringContaining('mdevctl define --jsonfile') })
  expect(JSON.stringify(undo(previous))).not.toContain('crontab')
})
