import { describe, expect, it } from 'vitest'
import { guest, hostSpec, novaSpec } from '@/simulator/fixtures/host-parts'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import { GPU_MODELS } from '@/simulator/gpu-models/gpu-models'
import { vendorTypeNumber } from '@/simulator/host-tree/render-slicing'
import { setVendorType } from './change-vgpus'
import { deviceChoices } from './choose-device'
import type { SlicedGpu } from './host-lookup'
import { spawnGuest } from './spawn-guest'

const gpu = buildGpu({
  model: 'L40S',
  address: '0000:41:00.0',
  upstream: ['pci0000:40'],
  numaNode: 0,
  iommuGroup: 30,
  interface: 'vendor-vfio',
})

const typeByName = (suffix: string): string =>
  GPU_MODELS.L40S.types.find(({ driver }) => driver.name?.endsWith(`-${suffix}`))?.driver.typeId ?? ''

describe('VFs of vendor VFIO', () => {
  const planned = typeByName('8Q')
  const written = typeByName('24Q')
  const plan = { [gpu.address]: planned }
  const [first = ''] = gpu.slicing?.state.slots ?? []
  const spec = hostSpec({ name: 'cmp-1', gpus: [gpu], nova: novaSpec({ version: '32.0.0' }) })

  it('without a type serve no guest: Nova writes none, regardless of the operator plan', () => {
    expect(deviceChoices(spec, plan)).toEqual([])
    const choice = { kind: 'new' as const, gpu: gpu as SlicedGpu, slot: first, typeId: planned }
    expect(spawnGuest(spec, guest({ name: 'instance-00000001' }), choice, '')).toMatchObject({
      isDone: false,
      errno: 'EIO',
    })
  })

  it('are assigned with the type that was written into them', () => {
    const outcome = setVendorType(spec, {
      slot: first,
      typeNumber: vendorTypeNumber(written),
      uuid: 'c0ffee00-0000-4000-8000-000000000001',
    })
    const after = outcome.isDone ? outcome.spec : spec
    expect(deviceChoices(after, plan)).toMatchObject([{ kind: 'spare', slot: first, typeId: written }])
    const used = { ...after, guests: [guest({ name: 'instance-00000001', pciDevices: [first] })] }
    expect(deviceChoices(used, plan)).toEqual([])
  })
})
