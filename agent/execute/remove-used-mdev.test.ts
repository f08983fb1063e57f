import { describe, expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import { type TreeContents, writeContents } from '@/agent/testing/tree'
import type { AgentCommand } from '@/lib/schemas/agent/command'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { createLivingHost } from '@/simulator/host/living-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

const CARD = '0000:af:00.0'
const UUID = 'c0ffee00-0000-4000-8000-000000000001'

const hostWithSpare = (): HostSpec => {
  const [gpu] = kollaHost.gpus
  if (gpu?.slicing == null) throw new Error('the fixture lost its GPU')
  const vgpus = [
    ...gpu.slicing.state.vgpus,
    { uuid: UUID, typeId: 'nvidia-105', slot: CARD, iommuGroup: 900 },
  ]
  const slicing = { ...gpu.slicing, state: { ...gpu.slicing.state, vgpus } }
  const nova = { ...kollaHost.nova, deployment: 'package' as const }
  return { ...kollaHost, nova, gpus: [{ ...gpu, slicing }], hasCommandOutput: false }
}

const COMMAND: AgentCommand = { name: 'remove-mdev', uuid: UUID, typeId: 'nvidia-105', parentAddress: CARD }

const remove = async (contents: TreeContents) => {
  const root = temporaryRoot()
  const spec = hostWithSpare()
  writeHostTree(root, spec)
  writeContents(root, contents)
  const living = createLivingHost({ root, spec, now: () => new Date(0), newUuid: () => UUID })
  const settings = { ...DEFAULT_COMMANDS, allow: ['remove-mdev' as const] }
  const pause = async () => {
    living.applyWrites()
  }
  const result = await executeCommand(createCommandHost({ root, settings, patienceMs: 0, pause }), COMMAND)
  living.applyWrites()
  const [card] = living.spec().gpus
  return { result, isThere: card?.slicing?.state.vgpus.some(({ uuid }) => uuid === UUID) }
}

/** `nvidia-smi vgpu -q` of vGPU 15; Proxmox gives the driver no VM UUID (akb486/vgpu README). */
const smi = (mdevUuid: string): TreeContents => ({
  '/.sliceboard/commands/nvidia-smi-vgpu-q.txt': [
    'Driver Version                            : 525.147.01',
    'GPU 00000000:AF:00.0',
    '    Active vGPUs                          : 1',
    '    vGPU ID                               : 3251634190',
    '        VM UUID                           : ',
    '        VM Name                           : win10test,debug-threads=on',
    '        vGPU Name                         : GRID V100D-8Q',
    `        MDEV UUID                         : ${mdevUuid}`,
    '',
  ].join('\n'),
})

describe('an mdev that no guest of libvirt names is removed only if nothing else uses it', () => {
  const device = `vfio-pci,sysfsdev=/sys/bus/mdev/devices/${UUID}`
  test.each<[string, TreeContents, string]>([
    ['the driver lists it', smi(UUID), 'is in use by win10test'],
    ['the driver lists a vGPU that it does not name', smi('N/A'), 'could be that one'],
    [
      'QEMU has it on its command line',
      { '/proc/77/cmdline': `kvm\0-name\0win10\0-device\0${device}\0` },
      'by kvm (process 77) of the guest win10, by its command line',
    ],
    [
      'a process has its group open',
      { '/proc/78/cmdline': 'qemu\0', '/proc/78/fd/9': { link: '/dev/vfio/900' } },
      'with its VFIO file open',
    ],
  ])('%s', async (_name, contents, words) => {
    const { result, isThere } = await remove(contents)
    expect(result).toMatchObject({ outcome: 'refused', message: expect.stringContaining(words) })
    expect(isThere).toBe(true)
  })

  test('and it is removed when the driver and the processes use others', async () => {
    const other = {
      '/proc/77/cmdline': 'kvm\0-device\0vfio-pci,host=0000:01:00.0\0',
      '/proc/77/fd/1': { link: '/dev/vfio/12' },
    }
    const { result, isThere } = await remove({ ...smi('c0ffee00-0000-4000-8000-0000000000ff'), ...other })
    expect(result).toMatchObject({ outcome: 'done' })
    expect(isThere).toBe(false)
  })
})
