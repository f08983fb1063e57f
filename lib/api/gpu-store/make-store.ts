import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import type { StoreAnswer, StoreQuestion } from './read-store'

type Waiting = { resolve: (store: GpuStore | null) => void; reject: (error: Error) => void }

let worker: Worker | null = null
let lastId = 0
const waiting = new Map<number, Waiting>()

/** One worker for the tab. A crash of the worker fails all waiting requests, and the next one starts another. */
export const startStoreWorker = (): Worker => {
  if (worker !== null) return worker
  const started = new Worker(new URL('./store-worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data: { id, store } }: MessageEvent<StoreAnswer>) => {
    waiting.get(id)?.resolve(store)
    waiting.delete(id)
  })
  started.addEventListener('error', () => {
    started.terminate()
    worker = null
    for (const { reject } of waiting.values()) reject(new Error('The list of pGPUs could not be read.'))
    waiting.clear()
  })
  worker = started
  return started
}

/**
 * Builds a store from the bytes of an answer in the worker; null if they have another form. Takes ownership of the bytes.
 */
export const makeStore = (body: ArrayBuffer): Promise<GpuStore | null> =>
  new Promise((resolve, reject) => {
    lastId += 1
    waiting.set(lastId, { resolve, reject })
    const question: StoreQuestion = { id: lastId, body }
    startStoreWorker().postMessage(question, [body])
  })
