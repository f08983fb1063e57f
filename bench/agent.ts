/**
 * `npm run bench:agent`: what a scan of a full host costs (8 pGPUs x 16 VFs x 20 types, 128 mdevs, 128 guests), as a
 * separate process and inside a running agent, compared with Debian's mdevctl on the same tree.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { temporaryBase } from '@/agent/testing/temporary-base'
import { bundleAgent } from '@/scripts/agent-build/bundle'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { benchHost, CARDS, FUNCTIONS, TYPES } from './agent/bench-host'
import { type Mdevctl, pointMdevctl } from './agent/mdevctl'
import { type Cost, measureCommand, measureNode, outputOf } from './agent/measure'

const RUNS = 15
const BUDGET = { cpuMs: 150, peakMib: 80 }

const folder = mkdtempSync(path.join(temporaryBase(), 'sliceboard-bench-'))
const root = path.join(folder, 'host')
const program = path.join(folder, 'sliceboard-agent.mjs')
const whole = path.join(folder, 'whole-agent.mjs')

/** Scans again and again in one process, as `run` does, and prints the mean CPU time of the scans after the first ones. */
const repeated = (memory: string): string => `
  const { scanHost, createScanMemory, keepMemorySmall } = await import(${JSON.stringify(whole)})
  const beforeScan = keepMemorySmall()
  const memory = ${memory}
  const times = []
  for (let round = 0; round < 30; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const before = process.cpuUsage()
    beforeScan()
    await scanHost({ root: ${JSON.stringify(root)}, memory })
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  const late = times.slice(10)
  console.log(JSON.stringify({ cpuMs: late.reduce((sum, ms) => sum + ms, 0) / late.length, peakMib: process.resourceUsage().maxRSS / 1024 }))
`

const measureRepeated = (memory: string): Cost => {
  const code = Buffer.from(repeated(memory)).toString('base64')
  const line = `${process.execPath} --input-type=module -e "$(echo ${code} | base64 -d)"`
  const started = performance.now()
  const usage: { cpuMs: number; peakMib: number } = JSON.parse(outputOf(line))
  return { ...usage, wallMs: (performance.now() - started) / 30 }
}

type Row = { name: string; cost: Cost }

const print = (rows: Row[], reference: Cost): void => {
  const number = (value: number | null, digits: number): string =>
    value === null ? '-' : value.toFixed(digits)
  const cells = rows.map(({ name, cost }) => [
    name,
    number(cost.cpuMs, 1),
    number(cost.cpuMs / reference.cpuMs, 2),
    number(cost.peakMib, 1),
    number(cost.wallMs, 1),
  ])
  const table = [['', 'CPU ms', 'ratio', 'peak MiB', 'wall ms'], ...cells]
  for (const [name = '', ...numbers] of table)
    console.log(name.padEnd(52), ...numbers.map((cell) => cell.padStart(9)))
}

const shares = ({ cpuMs, peakMib }: Cost): string =>
  `${Math.round((cpuMs / BUDGET.cpuMs) * 100)} % and ${Math.round(((peakMib ?? 0) / BUDGET.peakMib) * 100)} % of it`

const mdevctlRows = (mdevctl: Mdevctl): Row[] =>
  'reason' in mdevctl
    ? []
    : [
        { name: `mdevctl list (${mdevctl.version})`, cost: measureCommand(`${mdevctl.prefix} list`, 20) },
        { name: 'mdevctl list --defined', cost: measureCommand(`${mdevctl.prefix} list -d`, 20) },
        { name: 'mdevctl types', cost: measureCommand(`${mdevctl.prefix} types`, 20) },
      ]

try {
  await bundleAgent({ entry: 'agent/main.ts', format: 'esm', outfile: program })
  await bundleAgent({ entry: 'bench/agent/whole-agent.ts', format: 'esm', outfile: whole })
  writeHostTree(root, benchHost())
  const mdevctl = pointMdevctl(root)
  const scan = measureNode([program, 'scan', '--root', root], RUNS)
  console.log(
    `A full host: ${CARDS} pGPUs x ${FUNCTIONS} VFs x ${TYPES} types, ${CARDS * FUNCTIONS} mdevs in use by as many guests.`,
  )
  console.log(`Median of ${RUNS} processes, mdevctl mean of 20; ratio to the scan as a separate process.\n`)
  const running = measureRepeated('createScanMemory()')
  print(
    [
      { name: 'sliceboard-agent scan, separate process', cost: scan },
      { name: 'node -e 0, for what Node alone takes of that', cost: measureNode(['-e', '0'], RUNS) },
      { name: 'scan in a running agent, guests unchanged', cost: running },
      { name: 'scan in a running agent, everything read again', cost: measureRepeated('undefined') },
      ...mdevctlRows(mdevctl),
    ],
    scan,
  )
  if ('reason' in mdevctl) console.log(`\nWithout mdevctl: ${mdevctl.reason}`)
  console.log(`\nBudget of a scan: ${BUDGET.cpuMs} ms CPU, ${BUDGET.peakMib} MiB.`)
  console.log(`In a running agent ${shares(running)}; as a separate process ${shares(scan)}.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
