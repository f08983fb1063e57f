import { entryAt, findRow, type GpuStore } from '@/lib/domain/gpu-list/gpu-store'

/** Selected rows of one store. Rows move when the fleet changes; `carrySelection` follows them. */
export type SelectedRows = {
  store: GpuStore
  /** 1 for each selected row. */
  mask: Uint8Array
  count: number
}

export const noSelection = (store: GpuStore): SelectedRows => ({
  store,
  mask: new Uint8Array(store.count),
  count: 0,
})

export const changeSelection = (
  before: SelectedRows,
  rows: Iterable<number>,
  isOn: boolean,
): SelectedRows => {
  const mask = before.mask.slice()
  let { count } = before
  for (const row of rows) {
    // A row that is still on its way has no place in the mask.
    if (mask[row] === undefined || (mask[row] === 1) === isOn) continue
    mask[row] = isOn ? 1 : 0
    count += isOn ? 1 : -1
  }
  return { store: before.store, mask, count }
}

/** The same pGPUs in a newer store; what has left the fleet is no longer selected. */
export const carrySelection = (before: SelectedRows, store: GpuStore): SelectedRows => {
  if (before.store === store) return before
  if (before.count === 0) return noSelection(store)
  const { data, columns } = before.store
  const rows: number[] = []
  for (let row = 0; row < before.mask.length; row++) {
    if (before.mask[row] !== 1) continue
    const host = entryAt(data.hosts, columns.hostIndex, row) ?? ''
    const address = entryAt(data.addresses, columns.addressIndex, row) ?? ''
    const now = findRow(store, { host, address })
    if (now !== null) rows.push(now)
  }
  return changeSelection(noSelection(store), rows, true)
}

const NO_ROWS = new Int32Array(0)

/** The selected among the rows shown, in the order shown; one and the same while none is. */
export const selectedAmong = ({ mask, count }: SelectedRows, rows: Int32Array): Int32Array =>
  count === 0 ? NO_ROWS : rows.filter((row) => mask[row] === 1)
