'use client'

import { useMemo, useState } from 'react'
import { entryAt, type GpuStore, gpuKey } from './gpu-store'

export type Selection = {
  /** `gpuKey`s: they stay true while rows move. */
  keys: ReadonlySet<string>
  set: (keys: Iterable<string>, isOn: boolean) => void
  clear: () => void
}

export const useSelection = (): Selection => {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return useMemo(
    () => ({
      keys,
      set: (changed, isOn) =>
        setKeys((before) => {
          const after = new Set(before)
          for (const key of changed) {
            if (isOn) after.add(key)
            else after.delete(key)
          }
          return after
        }),
      clear: () => setKeys(new Set()),
    }),
    [keys],
  )
}

/** Key of the pGPU in a row. */
export const keyOfRow = ({ data, columns }: GpuStore, row: number): string =>
  gpuKey(
    entryAt(data.hosts, columns.hostIndex, row) ?? '',
    entryAt(data.addresses, columns.addressIndex, row) ?? '',
  )

/** Rows among those shown that are selected, in the order shown. */
export const selectedRows = (store: GpuStore, rows: Int32Array, keys: ReadonlySet<string>): number[] =>
  keys.size === 0 ? [] : [...rows].filter((row) => keys.has(keyOfRow(store, row)))
