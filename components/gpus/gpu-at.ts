import { gpuRowAt } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuView } from './use-gpu-view'
import type { ShownGpu } from './use-shown-gpu'

/** The pGPU at a position of the list; null: there is none, or it is not loaded yet. */
export const gpuAt = ({ store, rows }: Pick<GpuView, 'store' | 'rows'>, index: number): ShownGpu | null => {
  const { host, address } = gpuRowAt(store, rows[index] ?? -1)
  return host === '' ? null : { host, address }
}
