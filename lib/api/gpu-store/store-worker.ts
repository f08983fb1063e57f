import '@/lib/schemas/without-eval'
import { memoryOf, readStore, type StoreQuestion } from './read-store'

/** Runs in a thread of its own: reading 80,000 pGPUs would hold up the page for most of a second on a slow machine. */
addEventListener('message', ({ data }: MessageEvent<StoreQuestion>) => {
  const answer = readStore(data)
  postMessage(answer, { transfer: memoryOf(answer) })
})
