import { expect, test } from 'vitest'
import { columnCsv } from '@/components/table/column-csv'
import { createGpuStore, type GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { makeColumns } from '@/lib/domain/gpu-list/testing/make-columns'
import { GPU_COLUMNS } from './gpu-columns'
import { gpuCsvRows } from './gpu-csv-rows'

const gpuCsv = (store: GpuStore, rows: readonly number[], silentHosts: ReadonlyMap<string, string | null>) =>
  columnCsv(GPU_COLUMNS, gpuCsvRows(store, rows, silentHosts), { cloud: store.data.cloud })

test('rows come in the order shown, unknown values are empty, and silence has a field', () => {
  const store = createGpuStore(
    makeColumns([
      { host: 'cmp-1', address: '0000:18:00.0', used: null, reason: 'Guests could not be read' },
      {
        host: 'cmp-2',
        address: '0000:18:00.0',
        used: 1,
        advertised: 22,
        advertisedUsed: 9,
        creatable: 3,
        stranded: 3,
        strandedReason: 'nova-compute is down',
        service: 'down',
        aggregates: ['gpu-a40', 'gpu-desktop'],
      },
    ]),
  )
  const seenAt = '2026-11-21T11:03:22Z'
  const [head, first, second, end] = gpuCsv(store, [1, 0], new Map([['cmp-1', seenAt]])).split('\r\n')
  expect(head?.split(',')[0]).toBe('cloud')
  expect(head?.split(',').slice(-8)).toEqual([
    'advertised',
    'advertised_used',
    'stranded',
    'stranded_reason',
    'service',
    'aggregates',
    'host_silent',
    'host_silent_since',
  ])
  expect(first).toBe(
    'paris-prod,cmp-2,0000:18:00.0,NVIDIA T4,mdev,T4-4Q,nvidia-T4-4Q,0,16384,vgpu,4,1,0,0,3,0,0,0,3,0,,,22,9,3,nova-compute is down,down,gpu-a40;gpu-desktop,no,',
  )
  expect(second).toBe(
    `paris-prod,cmp-1,0000:18:00.0,NVIDIA T4,mdev,T4-4Q,nvidia-T4-4Q,0,16384,vgpu,4,,0,0,0,4,0,0,0,0,Guests could not be read,,,,,,,,yes,${seenAt}`,
  )
  expect(end).toBe('')
})

test('no aggregate is stated, and a service that Nova did not report is empty', () => {
  const store = createGpuStore(
    makeColumns([{ host: 'cmp-1', address: '1', service: 'unknown', aggregates: [], advertised: 0 }]),
  )
  expect(gpuCsv(store, [0], new Map())).toContain(',0,,,,,none,no,')
})
