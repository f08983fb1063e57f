/**
 * Loaded into the console by `node --import`: measures its event loop, CPU time and memory from inside, and sends what was measured
 * since the last request to whoever connects to the socket BENCH_PROBE.
 */
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 10

const listen = (socket) => {
  let since = performance.now()
  let last = since
  let cpu = process.cpuUsage()
  let delays = []
  setInterval(() => {
    const now = performance.now()
    const delay = now - last - EVERY_MS
    last = now
    if (delay > 1) delays.push(Number(delay.toFixed(1)))
  }, EVERY_MS).unref()
  const take = () => {
    const now = performance.now()
    const used = process.cpuUsage(cpu)
    const window = {
      ms: now - since,
      delays,
      cpuMs: (used.user + used.system) / 1000,
      rssMib: process.memoryUsage.rss() / 2 ** 20,
    }
    since = now
    cpu = process.cpuUsage()
    delays = []
    return window
  }
  // Not in the turn that accepts: the timer runs first and counts the block that just ended.
  createServer((client) => setTimeout(() => client.end(JSON.stringify(take())), EVERY_MS))
    .listen(socket)
    .unref()
}

if (isMainThread && process.env.BENCH_PROBE) listen(process.env.BENCH_PROBE)
