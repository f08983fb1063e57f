import { expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import { writeContents } from '@/agent/testing/tree'
import { vendorVfioHost } from '@/simulator/fixtures/vendor-vfio-host'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

const CARD = '0000:41:00.0'

const Q = [
  'Driver Version : 580.95.02',
  'GPU 00000000:41:00.0',
  '    MIG Mode',
  '        Current : Enabled',
  'GPU 00000000:81:00.0',
  '    MIG Mode',
  '        Current : Disabled',
  '',
].join('\n')

const lgi = (rows: string[]): string =>
  ['| GPU instances:                                          |', ...rows, ''].join('\n')

const enable = (instances: string | null) => {
  const root = temporaryRoot()
  writeHostTree(root, { ...vendorVfioHost, hasCommandOutput: false })
  writeContents(root, {
    '/.sliceboard/commands/nvidia-smi-q.txt': Q,
    ...(instances === null ? {} : { '/.sliceboard/commands/nvidia-smi-mig-lgi.txt': instances }),
  })
  const settings = { ...DEFAULT_COMMANDS, allow: ['run-sriov-manage' as const] }
  const host = createCommandHost({ root, settings, patienceMs: 0 })
  return executeCommand(host, { name: 'run-sriov-manage', address: CARD, enable: true })
}

test('run-sriov-manage -e is refused while the card has GPU instances, which it would remove', async () => {
  const row = '|   0  MIG 1g.24gb+gfx     47        3          0:3     |'
  expect(await enable(lgi([row]))).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining(`${CARD} has 1 GPU instance, which sriov-manage removes`),
  })
  // Without one the script is run, which this tree does not have.
  expect(await enable(lgi([]))).toMatchObject({ outcome: 'failed' })
})

test('run-sriov-manage -e is refused while the GPU instances of a card in MIG mode are unknown', async () => {
  for (const unknown of [null, ''])
    expect(await enable(unknown)).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining(`The GPU instances of ${CARD} could not be read`),
    })
})
