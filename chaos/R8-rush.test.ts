import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createBackOff } from '@/agent/http/back-off'
import { parseRetryAfter } from '@/agent/http/retry-after'
import { hostNameOf, secretOf } from '@/bench/ingest/credentials'
import { enrolHosts } from '@/bench/ingest/enrol-hosts'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { AGENT_RATES } from '@/lib/server/agent-api/agent-gate'
import { formatCredential } from '@/lib/server/agent-api/secrets'
import {
  type AgentConsole,
  reportJson,
  startAgentConsole,
} from '@/lib/server/agent-api/testing/agent-console'
import { openDatabase } from '@/lib/server/database/database'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { chaosTimes, tell } from './testing/times'

const HOSTS = chaosTimes({ short: 400, long: 10_000 })
const CONTROL_HOSTS = 100
/** As agents wait (agent/commands/run-session.ts). */
const BACK_OFF = { baseMs: 1000, capMs: 60_000 }
const binaries = findPostgresBinaries()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** So few that even a short run is refused often; a long one meets what a console really takes. */
const FEW = { burst: 50, perSecond: 20 }

/** An agent takes it for a console that is away. Seen where thousands of connections come at once. */
const CUT_OFF = 'no answer'

type Rush = {
  /** Milliseconds from the rush's begin, and from the last try, until each host was acknowledged. */
  doneMs: number[]
  tryMs: number[]
  answers: Record<string, number>
  gaveUp: number
}

type Agent = { credential: string; body: Buffer }

const comingAgent = (place: number): Agent => {
  const full = t4SeedHost()
  const inventory = { ...full, host: { ...full.host, name: hostNameOf(place) } }
  const body = gzipSync(reportJson({ inventory, position: { boot: 1, sequence: 1 } }))
  return { credential: formatCredential(place + 1, secretOf(place)), body }
}

/** The whole report of a host that was away for a day, sent until it is taken or, for the control, refused once. */
const comeBack = async (
  console: AgentConsole,
  { credential, body }: Agent,
  { rush, beganAt, isStubborn }: { rush: Rush; beganAt: number; isStubborn: boolean },
): Promise<void> => {
  const backOff = createBackOff({ ...BACK_OFF, random: Math.random })
  for (;;) {
    const triedAt = performance.now()
    const answer = await console.report(credential, body, { 'content-encoding': 'gzip' }).catch(() => null)
    const status = answer?.status ?? null
    const retryAfter = answer?.headers['retry-after']
    const told = status === 200 ? '200' : answer === null ? CUT_OFF : `${status}, again in ${retryAfter} s`
    rush.answers[told] = (rush.answers[told] ?? 0) + 1
    if (status === 200) {
      rush.doneMs.push(performance.now() - beganAt)
      rush.tryMs.push(performance.now() - triedAt)
      return
    }
    if (!isStubborn) {
      rush.gaveUp += 1
      return
    }
    const asked = parseRetryAfter({ retryAfter, date: answer?.headers.date, now: new Date() })
    await pause((asked ?? 0) + backOff.nextMs())
  }
}

const rushAtOnce = async ({ hosts, isStubborn }: { hosts: number; isStubborn: boolean }) => {
  const postgres = await startPrivatePostgres(binaries ?? '')
  try {
    await onAdminConnection(postgres.url, 'CREATE DATABASE rushed')
    const databaseUrl = withDatabaseName(postgres.url, 'rushed')
    const database = await openDatabase({ databaseUrl, dataDirectory: null })
    await enrolHosts(database, hosts)
    const agents = Array.from({ length: hosts }, (_, place) => comingAgent(place))
    // A console that has just come back remembers nothing of them.
    const all = hosts < AGENT_RATES.all.burst / 4 ? FEW : AGENT_RATES.all
    const console = await startAgentConsole({ database, rates: { ...AGENT_RATES, all } })
    const rush: Rush = { doneMs: [], tryMs: [], answers: {}, gaveUp: 0 }
    const beganAt = performance.now()
    await Promise.all(agents.map((agent) => comeBack(console, agent, { rush, beganAt, isStubborn })))
    const rows = await database.query<{ reports: number; hosts: number }>(
      'SELECT applied_reports AS reports, count(*)::int AS hosts FROM host GROUP BY 1 ORDER BY 1',
    )
    await console.stop()
    await database.close()
    return { rush, rows }
  } finally {
    await postgres.stop()
  }
}

const quantile = (values: readonly number[], part: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0)

test.skipIf(binaries === null)(
  `${HOSTS} agents come back at once after a day: each is taken once, and who has to wait is told how long`,
  async () => {
    const { rush, rows } = await rushAtOnce({ hosts: HOSTS, isStubborn: true })
    const { doneMs, tryMs, answers } = rush
    tell('R8', {
      hosts: HOSTS,
      answers,
      knownWithin2s: doneMs.filter((ms) => ms <= 2000).length,
      halfKnownMs: quantile(doneMs, 0.5),
      allKnownMs: quantile(doneMs, 1),
      lastTryMs: { p50: quantile(tryMs, 0.5), p99: quantile(tryMs, 0.99) },
    })
    expect(rows).toEqual([{ reports: 1, hosts: HOSTS }])
    const refused = Object.keys(answers).filter((told) => told !== '200')
    expect(refused.length).toBeGreaterThan(0)
    const isTold = (answer: string) => /^(429|503), again in \d+ s$/.test(answer)
    const isAllowed = (answer: string) => isTold(answer) || (HOSTS > 1000 && answer === CUT_OFF)
    expect(refused.filter((answer) => !isAllowed(answer))).toEqual([])
  },
)

test.skipIf(binaries === null)(
  'control: agents that give up when they are refused are missed by the same check',
  async () => {
    const { rush, rows } = await rushAtOnce({ hosts: CONTROL_HOSTS, isStubborn: false })
    expect(rush.gaveUp).toBeGreaterThan(0)
    expect(rows).not.toEqual([{ reports: 1, hosts: CONTROL_HOSTS }])
  },
)
