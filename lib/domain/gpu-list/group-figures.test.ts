import { expect, test } from 'vitest'
import { arrangeGpus } from './arrange-gpus'
import { createGpuStore } from './gpu-store'
import { groupFigures } from './group-figures'
import { makeColumns } from './testing/make-columns'

test('the sums of a group count vGPUs and passthrough GPUs separately', () => {
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
  const units = arranged.groups.map((group) => {
    const { sums } = groupFigures(store, arranged, { group, grouping, silentHosts: new Map() })
    return [store.data.models[group.entry ?? -1], [sums.totals.capacity, sums.passthrough.capacity]]
  })
  expect(Object.fromEntries(units)).toEqual({ MI210: [0, 4], H100: [4, 4], T4: [4, 0] })
})
