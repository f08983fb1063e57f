import { downloadText } from './download-text'
import { gpuCsv } from './gpu-csv'
import type { GpuStore } from './gpu-store'

/** The rows as a CSV file, named after the cloud and the minute. */
export const downloadGpus = (
  store: GpuStore,
  rows: Int32Array,
  { silentHosts }: { silentHosts: ReadonlyMap<string, string | null> },
): void => {
  const minute = new Date().toISOString().slice(0, 16).replace(':', '')
  downloadText({
    name: `sliceboard-${store.data.cloud}-gpus-${minute}.csv`,
    type: 'text/csv',
    text: gpuCsv(store, rows, { silentHosts }),
  })
}
