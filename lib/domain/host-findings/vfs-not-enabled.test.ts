import { describe, expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { buildInventory } from '@/lib/domain/testing/build-inventory'
import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'

const CARD = '0001:04:00.0'

const detailOf = (smi: Partial<NvidiaSmi['gpus'][number]>): string | undefined => {
  const gpu = {
    name: null,
    uuid: null,
    framebufferMib: null,
    migMode: null,
    heterogeneousMode: null,
    vgpus: [],
  }
  const { pgpus } = describeHost(
    buildInventory({
      cards: [{ address: CARD, deviceId: '2bb5', sriov: { totalVfs: 48, enabledVfs: 0 } }],
      nvidiaSmi: { driverVersion: '580.95.02', gpus: [{ address: CARD, ...gpu, ...smi }] },
    }),
  )
  return pgpus[0]?.findings.find(({ code }) => code === 'vfs-not-enabled')?.detail
}

describe('advice for a card whose VFs are off', () => {
  test('warns where GPU instances exist, and creates them after the VFs', () => {
    const gpuInstances = [
      { id: 5, profile: '1g.24gb+gfx' },
      { id: 3, profile: '2g.48gb+gfx' },
    ]
    const detail = detailOf({ migMode: 'enabled', gpuInstances })
    expect(detail).toContain('Warning: sriov-manage removes the 2 GPU instances')
    expect(detail).toContain(`afterwards with nvidia-smi mig -i ${CARD} -cgi '2g.48gb+gfx,1g.24gb+gfx' -C`)
    expect(detail).toContain('after the VFs and before the vGPU types')
  })

  test('names the order in MIG mode, without a warning where no instance exists', () => {
    const detail = detailOf({ migMode: 'enabled', gpuInstances: [] })
    expect(detail).toContain('Create GPU instances after the VFs and before the vGPU types')
    expect(detail).not.toContain('Warning')
  })

  test('is silent about instances without MIG mode', () => {
    expect(detailOf({ migMode: 'disabled' })).not.toContain('GPU instance')
  })
})
