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
  const [kept, setKept] = useState<SelectedRows>(() => noSelection(store))
  const selected = useMemo(() => carrySelection(kept, store), [kept, store])
  return useMemo(
    () => ({
      selected,
      set: (rows, isOn) => setKept(changeSelection(selected, rows, isOn)),
      clear: () => setKept(noSelection(store)),
    }),
    [selected, store],
  )
}
