'use client'

import { debounce, useQueryStates } from 'nuqs'
import { gpuSearchParams } from './gpu-search-params'

/**
 * The list follows each change immediately. The address is updated later, because the router passes its changes to the
 * whole page.
 */
const ADDRESS_LATER = { limitUrlUpdates: debounce(300) }

/** What the address asks of the list. Read once, by the list, and handed to its parts. */
export const useGpuParams = () => useQueryStates(gpuSearchParams, ADDRESS_LATER)

export type GpuParams = ReturnType<typeof useGpuParams>[0]
export type SetGpuParams = ReturnType<typeof useGpuParams>[1]
