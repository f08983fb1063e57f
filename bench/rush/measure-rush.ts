import { setTimeout as wait } from 'node:timers/promises'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { anyRow } from '@/lib/server/testing/any-row'
import { startConsole } from '../fleet/console-process'
import { type BenchDatabase, createBenchDatabase } from '../fleet/open-bench-database'
import { mebibytesOf } from '../fleet/process-memory'
import { enrollHosts } from '../ingest/enroll-hosts'
import { type Beats, createBeatingHosts } from './beating-hosts'
import { type Answer, comeBack, comingBody, comingInventory, createRush, type Rush } from './come-back'
import { sendHeartbeat, sendReport } from './send'

const QUIET_MS = 5000
/** Reports of hosts that are to be known when the console goes away, side by side. */
const KNOWN_AT_ONCE = 32

export type RushTerms = {
  hosts: number
  /** Hosts that were never away. */
  honest: number
  /** Over how long the hosts come; 0: all at once. */
  spreadMs: number
  /**
   * Of hosts that reported before the console went away, the share in percent on which something changed in the meantime: these send a
   * report, the others a heartbeat. Null: the console knows none of them, and each sends its first report.
   */
  changedPercent: number | null
  /** Null: PGlite. */
  serverUrl: string | null
}

export type MeasuredRush = {
  rush: Rush
  /** From the first host's begin to the last acknowledgement. */
  wholeMs: number
  quiet: Beats
  duringRush: Beats
  /** Hosts of which what they sent counts, each once. */
  stored: number
  memory: { beforeMib: number; peakMib: number }
}

const SETTINGS = { SLICEBOARD_OPENSTACK: 'off' }

type Send = () => Promise<Answer>

/** What waits on each host. */
const waitingOn = (port: number, { hosts, changedPercent }: RushTerms): Send[] =>
  Array.from({ length: hosts }, (_, host) => {
    if (changedPercent === null || host % 100 < changedPercent) {
      const body = comingBody(host, changedPercent === null ? 1 : 2)
      return () => sendReport(port, { host, body })
    }
    const digest = inventoryDigest(comingInventory(host))
    return () => sendHeartbeat(port, { host, digest, position: { boot: 1, sequence: 2 } })
  })

/** The day before: every host reports once, and the console goes away. */
const becomeKnown = async (bench: BenchDatabase, hosts: number): Promise<void> => {
  const console = await startConsole({ ...bench.env, ...SETTINGS })
  const port = Number(new URL(console.address).port)
  const rush = createRush()
  const work = async (first: number): Promise<void> => {
    for (let host = first; host < hosts; host += KNOWN_AT_ONCE)
      await comeBack(() => sendReport(port, { host, body: comingBody(host) }), { rush })
  }
  await Promise.all(Array.from({ length: KNOWN_AT_ONCE }, (_, first) => work(first)))
  await console.stop()
}

/** A console that has just come back, and all its hosts with what waited. */
export const measureRush = async (terms: RushTerms): Promise<MeasuredRush> => {
  const { hosts, honest, spreadMs, serverUrl, changedPercent } = terms
  const bench = await createBenchDatabase(serverUrl)
  const database = await bench.open()
  await enrollHosts(database, hosts + honest)
  await database.close()
  if (changedPercent !== null) await becomeKnown(bench, hosts)
  const console = await startConsole({ ...bench.env, ...SETTINGS })
  const port = Number(new URL(console.address).port)
  const waiting = waitingOn(port, terms)
  const indexes = Array.from({ length: honest }, (_, index) => hosts + index)
  const beating = await createBeatingHosts({ port, indexes })
  const quiet = await beating.during(wait(QUIET_MS))
  const beforeMib = Math.round(mebibytesOf(console.pid, 'VmRSS'))
  const rush = createRush()
  const beganAt = performance.now()
  const coming = waiting.map(async (send, index) => {
    if (spreadMs > 0) await wait((spreadMs * index) / hosts)
    await comeBack(send, { rush })
  })
  const duringRush = await beating.during(Promise.all(coming))
  const wholeMs = Math.max(...[beganAt, ...rush.doneAt.slice(-1)]) - beganAt
  const peakMib = Math.round(mebibytesOf(console.pid, 'VmHWM'))
  await console.stop()
  const after = await bench.open()
  const [row] = await after.query(
    `SELECT count(*) FILTER (WHERE sequence = $1 AND applied_reports = CASE WHEN place % 100 < $2 THEN $1 ELSE 1 END)::int AS stored
     FROM (SELECT sequence, applied_reports, row_number() OVER (ORDER BY id) - 1 AS place FROM host) AS h WHERE place < $3`,
    [changedPercent === null ? 1 : 2, changedPercent ?? 100, hosts],
    anyRow<{ stored: number }>(),
  )
  await after.close()
  await bench.remove()
  return {
    rush,
    wholeMs,
    quiet,
    duringRush,
    stored: row?.stored ?? 0,
    memory: { beforeMib, peakMib },
  }
}
