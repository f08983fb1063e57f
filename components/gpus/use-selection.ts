'use client'

import { useMemo, useState } from 'react'
import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { carrySelection, changeSelection, noSelection, type SelectedRows } from './selection'

export type Selection = {
  selected: SelectedRows
  set: (rows: Iterable<number>, isOn: boolean) => void
  clear: () => void
}

export const useSelection = (store: GpuStore): Selection => {
  const [stored, setStored] = useState<SelectedRows>(() => noSelection(store))
  const selected = useMemo(() => carrySelection(stored, store), [stored, store])
  return useMemo(
    () => ({
      selected,
      set: (rows, isOn) => setStored(changeSelection(selected, rows, isOn)),
      clear: () => setStored(noSelection(store)),
    }),
    [selected, store],
  )
}
