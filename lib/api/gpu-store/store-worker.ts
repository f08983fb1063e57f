import { memoryOf, readStore, type StoreQuestion } from './read-store'

/** Runs in a separate thread: reading 80,000 pGPUs would block the page for most of a second on a slow machine. */
addEventListener('message', ({ data }: MessageEvent<StoreQuestion>) => {
  const answer = readStore(data)
  postMessage(answer, { transfer: memoryOf(answer) })
})
