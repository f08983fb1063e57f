import { afterAll, beforeAll, vi } from 'vitest'
import { memoryOf, readStore, type StoreQuestion } from '../gpu-store/read-store'

/** Replaces the browser's worker: the same reading, with all data transferred as a worker's messages are. */
class StoreWorker extends EventTarget {
  postMessage(question: StoreQuestion, transfer: Transferable[]): void {
    const answer = readStore(structuredClone(question, { transfer }))
    const data = structuredClone(answer, { transfer: memoryOf(answer) })
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }
}

export const stubStoreWorker = (): void => {
  beforeAll(() => void vi.stubGlobal('Worker', StoreWorker))
  afterAll(() => void vi.unstubAllGlobals())
}
