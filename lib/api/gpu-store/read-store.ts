import { createGpuStore, type GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'

/** A request to the worker: the bytes of an answer of `GET /api/v1/gpus`. */
export type StoreQuestion = { id: number; body: ArrayBuffer }

/** Null: the bytes are no JSON. */
export type StoreAnswer = { id: number; store: GpuStore | null }

const parsed = (body: ArrayBuffer): GpuColumns | null => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

/** The answer, made ready to filter and sort. */
export const readStore = ({ id, body }: StoreQuestion): StoreAnswer => {
  const columns = parsed(body)
  return { id, store: columns === null ? null : createGpuStore(columns) }
}

/** The memory of a store's columns: handed over instead of copied. */
export const memoryOf = ({ store }: StoreAnswer): Transferable[] => {
  if (store === null) return []
  const { columns, ranks, sizes, baseOrder, hostStarts } = store
  return [columns, ranks, sizes, { baseOrder, hostStarts }]
    .flatMap((part): Int32Array[] => Object.values(part))
    .flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
}
