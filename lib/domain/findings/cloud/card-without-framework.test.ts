import { expect, it } from 'vitest'
import { editGpuProviders, editHosts, findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'

const CODE = 'card-without-framework'
const bare = (change: Partial<GpuDevice>) =>
  editHosts(
    editGpuProviders(t4Cloud(), () => null),
    (inventory) => ({
      ...inventory,
      gpus: inventory.gpus.map((gpu) => ({ ...gpu, mdevTypes: null, ...change })),
      mdevs: [],
      guests: [],
    }),
  )

it.each([
  [{ driver: null }, 'no driver is bound to the card'],
  [{ driver: 'nouveau' }, 'the card is bound to nouveau, which provides no vGPUs'],
  [{}, 'the driver offers no vGPU types'],
])('%j', (change, sentence) => {
  expect(findOne(bare(change), CODE)).toMatchObject({ sourceToCorrect: 'hardware', sentence })
})

it("VFs that are off are the host's own finding, and other vendors are none", () => {
  for (const change of [{ sriov: { totalVfs: 16, enabledVfs: 0 } }, { vendorId: '1002' }])
    expect(sentences(bare(change)).filter((text) => text.startsWith(CODE))).toEqual([])
})
