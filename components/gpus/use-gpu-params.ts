'use client'

import { debounce, useQueryStates } from 'nuqs'
import { gpuSearchParams } from './gpu-search-params'

/** The list follows each change; the address, whose change the router passes to the whole page, follows when it stands. */
const ADDRESS_LATER = { limitUrlUpdates: debounce(300) }

/** What the address asks of the list. Read once, by the list, and handed to its parts. */
export const useGpuParams = () => useQueryStates(gpuSearchParams, ADDRESS_LATER)

export type GpuParams = ReturnType<typeof useGpuParams>[0]
export type SetGpuParams = ReturnType<typeof useGpuParams>[1]
