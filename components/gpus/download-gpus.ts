import { downloadCsv } from '@/components/ui/download-text'
import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { gpuCsv } from './gpu-csv'

/** The rows as a CSV file, named after the cloud and the minute. */
export const downloadGpus = (
  store: GpuStore,
  rows: Int32Array,
  { silentHosts }: { silentHosts: ReadonlyMap<string, string | null> },
): void => {
  downloadCsv({
    cloud: store.data.cloud,
    what: 'gpus',
    text: gpuCsv(store, rows, { silentHosts }),
  })
}
