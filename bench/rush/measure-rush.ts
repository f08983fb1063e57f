import { setTimeout as wait } from 'node:timers/promises'
import { startConsole } from '../fleet/console-process'
import { createBenchDatabase } from '../fleet/open-bench-database'
import { mebibytesOf } from '../fleet/process-memory'
import { enrolHosts } from '../ingest/enrol-hosts'
import { type Beats, createBeatingHosts } from './beating-hosts'
import { comeBack, comingBody, createRush, type Rush } from './come-back'
import { sendReport } from './send'

const QUIET_MS = 5000

export type RushTerms = {
  hosts: number
  /** Hosts that were never away. */
  honest: number
  /** Over how long the hosts come; 0: all at once. */
  spreadMs: number
  /** Null: PGlite. */
  serverUrl: string | null
}

export type MeasuredRush = {
  rush: Rush
  /** From the first host's begin to the last acknowledgement. */
  wholeMs: number
  quiet: Beats
  meanwhile: Beats
  /** Hosts whose report is stored, each once. */
  stored: number
  memory: { beforeMib: number; peakMib: number }
}

/** A console that has just come back and remembers nobody, and all its hosts with a report that waited. */
export const measureRush = async ({
  hosts,
  honest,
  spreadMs,
  serverUrl,
}: RushTerms): Promise<MeasuredRush> => {
  const bench = await createBenchDatabase(serverUrl)
  const database = await bench.open()
  await enrolHosts(database, hosts + honest)
  await database.close()
  const console = await startConsole({ ...bench.env, SLICEBOARD_OPENSTACK: 'off' })
  const port = Number(new URL(console.address).port)
  const bodies = Array.from({ length: hosts }, (_, place) => comingBody(place))
  const places = Array.from({ length: honest }, (_, place) => hosts + place)
  const beating = await createBeatingHosts({ port, places })
  const quiet = await beating.during(wait(QUIET_MS))
  const beforeMib = Math.round(mebibytesOf(console.pid, 'VmRSS'))
  const rush = createRush()
  const beganAt = performance.now()
  const coming = bodies.map(async (body, place) => {
    if (spreadMs > 0) await wait((spreadMs * place) / hosts)
    await comeBack(() => sendReport(port, { place, body }), { rush })
  })
  const meanwhile = await beating.during(Promise.all(coming))
  const wholeMs = Math.max(...[beganAt, ...rush.doneAt.slice(-1)]) - beganAt
  const peakMib = Math.round(mebibytesOf(console.pid, 'VmHWM'))
  await console.stop()
  const after = await bench.open()
  const [row] = await after.query<{ stored: number }>(
    'SELECT count(*)::int AS stored FROM host WHERE applied_reports = 1',
  )
  await after.close()
  await bench.remove()
  return {
    rush,
    wholeMs,
    quiet,
    meanwhile,
    stored: (row?.stored ?? 0) - honest,
    memory: { beforeMib, peakMib },
  }
}
