import { describe, expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { pciLayoutNow } from '@/lib/domain/cloud/pci-layout'
import { editHosts } from '@/lib/domain/testing/break-cloud'
import { L40S, L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import type { VfioDraft } from './vfio-draft'
import { bootUnitText } from './vfio-texts'

type SmiGpu = NvidiaSmi['gpus'][number]

const draftWith = (smi: Partial<SmiGpu>, isMigBacked: boolean): VfioDraft => {
  const gpu: SmiGpu = {
    address: L40S,
    name: null,
    uuid: null,
    framebufferMib: null,
    migMode: isMigBacked ? 'enabled' : 'disabled',
    heterogeneousMode: null,
    vgpus: [],
    ...smi,
  }
  const facts = editHosts(l40sCloud({ typed: 0 }), (inventory) => ({
    ...inventory,
    nvidiaSmi: { driverVersion: '580.95.02', gpus: [gpu] },
  }))
  const [joined] = joinFleet(facts).hosts
  const entry = joined?.pgpus.find(({ pgpu }) => pgpu.address === L40S)
  const [type] = entry?.pgpu.supportedTypes ?? []
  const layout = joined === undefined ? null : pciLayoutNow(joined)
  if (joined === undefined || entry === undefined || type === undefined || layout === null)
    throw new Error('the cloud has an L40S')
  const to = { ...type, isMigBacked }
  const rest = { clear: [], keep: [], resourceClass: null, formerClass: null }
  return {
    joined,
    targets: [{ entry, to, toNumber: 1561, set: L40S_VFS, ...rest }],
    before: layout,
    after: layout,
  }
}

const commandsOf = (draft: VfioDraft): string[] =>
  bootUnitText(draft)
    .text.split('\n')
    .flatMap((line) => (line.startsWith('ExecStart=') ? [line.slice('ExecStart='.length)] : []))

describe('the boot unit of vGPU types', () => {
  const instances = [
    { id: 9, profile: '1g.10gb' },
    { id: 3, profile: '2g.20gb' },
    { id: 4, profile: '2g.20gb' },
  ]

  test('creates VFs, then GPU instances, then types', () => {
    const commands = commandsOf(draftWith({ gpuInstances: instances }, true))
    const expected = [
      '-mig 1',
      'sriov-manage -e',
      "mig -i 0000:c8:00.0 -cgi '2g.20gb,2g.20gb,1g.10gb' -C",
      'current_vgpu_type',
    ]
    const found = expected.map((words) => commands.findIndex((line) => line.includes(words)))
    expect(found).toEqual([0, 1, 2, 3])
    expect(commands).toHaveLength(3 + L40S_VFS.length)
  })

  test('leaves VFs alone that are enabled, and GPU instances that exist', () => {
    const commands = commandsOf(draftWith({ gpuInstances: instances }, true))
    expect(commands[1]).toBe(
      '/bin/sh -c "grep -qvx 0 /sys/bus/pci/devices/0000:c8:00.0/sriov_numvfs || /usr/lib/nvidia/sriov-manage -e 0000:c8:00.0"',
    )
    expect(commands[2]).toContain(`nvidia-smi mig -lgi -i 0000:c8:00.0 | grep -qE 'MIG +[0-9]' ||`)
  })

  test('warns of the instances that sriov-manage would remove', () => {
    expect(bootUnitText(draftWith({ gpuInstances: instances }, true)).notes.join(' ')).toContain(
      '0000:c8:00.0 currently has 3 GPU instances (2g.20gb,2g.20gb,1g.10gb). "sriov-manage -e" and "-d" remove them',
    )
    expect(bootUnitText(draftWith({}, false)).notes.join(' ')).not.toContain('sriov-manage')
  })

  test('has no GPU instances for time-sliced types, and sets mixed sizes between VFs and types', () => {
    const commands = commandsOf(draftWith({ heterogeneousMode: 'enabled' }, false))
    expect(commands.map((line) => /sriov-manage|shm|current_vgpu_type|mig/.exec(line)?.[0])).toEqual([
      'sriov-manage',
      'shm',
      ...L40S_VFS.map(() => 'current_vgpu_type'),
    ])
  })
})
