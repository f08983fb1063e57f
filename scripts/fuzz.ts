/**
 * `npm run test:fuzz [-- SECONDS [TARGET …]]`: every parser of bytes that come from outside, for so many seconds each (10),
 * guided by V8's block coverage. Exit code 1 when one throws what is no refusal, takes long, hangs or changes a prototype;
 * the inputs lie in fuzz-findings/ then. SLICEBOARD_FUZZ_SEED repeats a run.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { buildProgram } from './build-program'
import { FUZZ_TARGETS } from './fuzz-run/targets'
import type { FuzzResult } from './fuzz-run/worker'

/** Checked twice before a target counts as hanging, so that a paused machine is no finding. */
const HANG_MS = 10_000
const SHARED_BYTES = 1_048_576

const [first, ...named] = process.argv.slice(2)
const seconds = Number(first ?? 10)
const seed = Number(process.env.SLICEBOARD_FUZZ_SEED ?? Math.floor(Date.now() / 1000) % 1_000_000)
const script = join(import.meta.dirname, '..', 'node_modules', '.cache', 'fuzz-worker.mjs')
await buildProgram({ entry: 'scripts/fuzz-run/worker.ts', outfile: script, sourcemap: 'inline' })

/** The result of one target, or the input on which it hangs or dies. */
const runTarget = (name: string): Promise<FuzzResult> =>
  new Promise((resolve) => {
    const shared = new SharedArrayBuffer(SHARED_BYTES)
    const counters = new Uint32Array(shared, 0, 2)
    const worker = new Worker(script, {
      workerData: { name, seconds, seed, shared },
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    })
    const stopAt = (fault: string) => {
      const text = new TextDecoder().decode(new Uint8Array(shared, 8, counters[1]).slice())
      finish({ inputs: counters[0] ?? 0, blocks: 0, corpus: 0, slowestMs: 0, findings: [{ fault, text }] })
    }
    let last = -1
    let still = 0
    const watch = setInterval(() => {
      still = counters[0] === last && last > 0 ? still + 1 : 0
      if (still === 2) stopAt(`no end within ${(2 * HANG_MS) / 1000} s`)
      last = counters[0] ?? 0
    }, HANG_MS)
    const finish = (result: FuzzResult) => {
      clearInterval(watch)
      resolve(result)
      void worker.terminate()
    }
    worker.on('message', finish)
    worker.on('error', (error) => stopAt(`the process broke: ${error.message}`))
  })

const folder = join(import.meta.dirname, '..', 'fuzz-findings')
rmSync(folder, { recursive: true, force: true })
const names = named.length > 0 ? named : FUZZ_TARGETS.map(({ name }) => name)
let [inputs, findings] = [0, 0]
for (const name of names) {
  const result = await runTarget(name)
  inputs += result.inputs
  findings += result.findings.length
  process.stdout.write(
    `${name}: ${result.inputs} inputs, ${result.blocks} blocks, ${result.corpus} kept, slowest ${Math.round(result.slowestMs)} ms\n`,
  )
  for (const [index, { fault, text }] of result.findings.entries()) {
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${name}-${index}.txt`)
    writeFileSync(file, text)
    process.stdout.write(`  FOUND ${fault}\n  in ${file}\n`)
  }
}
process.stdout.write(
  `${inputs} inputs in ${Math.round(names.length * seconds)} s, seed ${seed}, ${findings} findings\n`,
)
process.exitCode = findings === 0 ? 0 : 1
