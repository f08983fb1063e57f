import { expect, test } from 'vitest'
import { arrangeGpus } from './arrange-gpus'
import { createGpuStore } from './gpu-store'
import { groupFigures } from './group-figures'
import { silentMask } from './sum-gpus'
import { makeColumns } from './testing/make-columns'

test('the sums of a group count vGPUs, whole cards, or both', () => {
  const store = createGpuStore(
    makeColumns([
      { host: 'a', address: '1', model: 'MI210', framework: 'passthrough' },
      { host: 'a', address: '2', model: 'H100', framework: 'passthrough' },
      { host: 'b', address: '1', model: 'H100', framework: 'mdev-sriov' },
      { host: 'b', address: '2', model: 'T4', framework: 'mdev' },
    ]),
  )
  const grouping = 'model'
  const arranged = arrangeGpus(store, store.baseOrder, {
    grouping,
    sort: { column: 'host', isDescending: false },
  })
  const units = arranged.groups.map((group) => [
    store.data.models[group.entry ?? -1],
    groupFigures(store, arranged, { group, grouping, isSilent: silentMask(store, new Set()) }).unit,
  ])
  expect(Object.fromEntries(units)).toEqual({ MI210: 'card', H100: 'both', T4: 'vgpu' })
})
