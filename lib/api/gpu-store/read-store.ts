import { createGpuStore, type GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import { safeParse } from '@/lib/schemas/mini'

/** A request to the worker: the bytes of an answer of `GET /api/v1/gpus`. */
export type StoreQuestion = { id: number; body: ArrayBuffer }

/** Null: the bytes have another form. */
export type StoreAnswer = { id: number; store: GpuStore | null }

const parsed = (body: ArrayBuffer): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

/** The answer, checked and made ready to filter and sort. */
export const readStore = ({ id, body }: StoreQuestion): StoreAnswer => {
  const columns = safeParse(gpuColumnsSchema, parsed(body))
  return { id, store: columns.success ? createGpuStore(columns.data) : null }
}

/** The memory of a store's columns: handed over instead of copied. */
export const memoryOf = ({ store }: StoreAnswer): Transferable[] => {
  if (store === null) return []
  const { columns, ranks, sizes, baseOrder, hostStarts } = store
  return [columns, ranks, sizes, { baseOrder, hostStarts }]
    .flatMap((part): Int32Array[] => Object.values(part))
    .flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
}
