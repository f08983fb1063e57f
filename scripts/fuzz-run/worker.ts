/**
 * Worker entry: mutates the texts of one target until its time is over and keeps those that reach blocks of the product
 * that none before has reached. The current input is in shared memory, for the process that finds the worker hanging.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { checkInput } from './check-input'
import { createCoverage } from './coverage'
import { createBelow, mutate } from './mutate'
import { FUZZ_TARGETS } from './targets'

type FuzzFinding = { fault: string; text: string }
export type FuzzResult = {
  inputs: number
  blocks: number
  corpus: number
  findings: FuzzFinding[]
  slowestMs: number
}

const { name, seconds, seed, shared } = workerData as {
  name: string
  seconds: number
  seed: number
  shared: SharedArrayBuffer
}
const target = FUZZ_TARGETS.find((one) => one.name === name)
if (target === undefined) throw new Error(`there is no target ${name}`)

/** Inputs between two checks of the coverage: a check takes as long as some inputs. */
const BATCH = 16
const MAX_CORPUS = 2000
const SLOW_MS = 250

const below = createBelow(seed)
const counters = new Uint32Array(shared, 0, 2)
const input = new Uint8Array(shared, 8)
const encoder = new TextEncoder()
const coverage = createCoverage((url) => url.includes('fuzz-worker'))
const corpus = target.seeds()
const faults = new Map<string, string>()
const end = performance.now() + seconds * 1000
let inputs = 0
let slowestMs = 0

/** Of several tries the least, since the machine may be busy with others. */
const msOf = async (text: string): Promise<number> => {
  const startedAt = process.cpuUsage()
  await checkInput(target, text)
  const { user, system } = process.cpuUsage(startedAt)
  return (user + system) / 1000
}

const run = async (text: string): Promise<void> => {
  counters[1] = encoder.encodeInto(text, input).written
  Atomics.add(counters, 0, 1)
  const startedAt = performance.now()
  const fault = await checkInput(target, text)
  const ms = performance.now() - startedAt
  inputs += 1
  if (fault !== null && !faults.has(fault)) faults.set(fault, text)
  if (ms <= SLOW_MS || ms <= slowestMs) return
  slowestMs = Math.max(slowestMs, Math.min(ms, await msOf(text), await msOf(text)))
  if (slowestMs > SLOW_MS) faults.set('slow', text)
}

for (const text of corpus) await run(text)
coverage.newBlocks()
while (performance.now() < end) {
  const made = Array.from({ length: BATCH }, () => {
    const text = corpus[below(corpus.length)] ?? ''
    return mutate({ text, other: corpus[below(corpus.length)] ?? '', below })
  })
  for (const text of made) await run(text)
  if (coverage.newBlocks() === 0) continue
  // Some of these were new: which ones is unknown, so all are kept while there is space.
  for (const text of made) {
    if (corpus.length < MAX_CORPUS) corpus.push(text)
    else corpus[below(MAX_CORPUS)] = text
  }
}

const findings = [...faults].map(([fault, text]) => ({ fault, text }))
parentPort?.postMessage({
  inputs,
  blocks: coverage.seen(),
  corpus: corpus.length,
  findings,
  slowestMs,
} satisfies FuzzResult)
