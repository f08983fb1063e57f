import { expect, test } from 'vitest'
import { secretOf } from '@/bench/ingest/credentials'
import { enrollHosts } from '@/bench/ingest/enroll-hosts'
import { quantile } from '@/bench/quantile'
import { CUT_OFF, comeBack, comingBody, createRush, type Rush } from '@/bench/rush/come-back'
import { AGENT_RATES } from '@/lib/server/agent-api/agent-gate'
import { type AgentConsole, startAgentConsole } from '@/lib/server/agent-api/testing/agent-console'
import { openDatabase } from '@/lib/server/database/database'
import { formatCredential } from '@/lib/server/secrets/agent-secrets'
import { anyRow } from '@/lib/server/testing/any-row'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { chaosTimes, printFacts } from './testing/times'

const HOSTS = chaosTimes({ short: 400, long: 10_000 })
const CONTROL_HOSTS = 100
const binaries = findPostgresBinaries()
/** So few that even a short run is refused often; a long one meets what a console really takes. */
const FEW = { burst: 50, perSecond: 20 }

type Agent = { credential: string; body: Buffer }

/** The whole report of a host that was away for a day, sent until it is taken or, for the control, refused once. */
const comeBackTo = (
  console: AgentConsole,
  { credential, body }: Agent,
  { rush, isStubborn }: { rush: Rush; isStubborn: boolean },
): Promise<void> =>
  comeBack(
    async () => {
      const { status, headers } = await console.report(credential, body, { 'content-encoding': 'gzip' })
      return { status, retryAfter: headers['retry-after'], date: headers.date }
    },
    { rush, isStubborn },
  )

const rushAtOnce = async ({ hosts, isStubborn }: { hosts: number; isStubborn: boolean }) => {
  const postgres = await startPrivatePostgres(binaries ?? '')
  try {
    await onAdminConnection(postgres.url, 'CREATE DATABASE rushed')
    const databaseUrl = withDatabaseName(postgres.url, 'rushed')
    const database = await openDatabase({ databaseUrl, dataDirectory: null })
    await enrollHosts(database, hosts)
    const agents = Array.from({ length: hosts }, (_, index) => ({
      credential: formatCredential(index + 1, secretOf(index)),
      body: comingBody(index),
    }))
    // A console that has just come back remembers nothing of them.
    const all = hosts < AGENT_RATES.all.burst / 4 ? FEW : AGENT_RATES.all
    const console = await startAgentConsole({ database, rates: { ...AGENT_RATES, all } })
    const rush = createRush()
    await Promise.all(agents.map((agent) => comeBackTo(console, agent, { rush, isStubborn })))
    const rows = await database.query(
      'SELECT applied_reports AS reports, count(*)::int AS hosts FROM host GROUP BY 1 ORDER BY 1',
      [],
      anyRow<{ reports: number; hosts: number }>(),
    )
    await console.stop()
    await database.close()
    return { rush, rows }
  } finally {
    await postgres.stop()
  }
}

test.skipIf(binaries === null)(
  `${HOSTS} agents come back at once after a day: each is taken once, and who has to wait gets the time`,
  async () => {
    const { rush, rows } = await rushAtOnce({ hosts: HOSTS, isStubborn: true })
    const { doneMs, tryMs, answers } = rush
    printFacts('R8', {
      hosts: HOSTS,
      answers,
      knownWithin2s: doneMs.filter((ms) => ms <= 2000).length,
      halfKnownMs: Math.round(quantile(doneMs, 0.5)),
      allKnownMs: Math.round(quantile(doneMs, 1)),
      lastTryMs: { p50: Math.round(quantile(tryMs, 0.5)), p99: Math.round(quantile(tryMs, 0.99)) },
    })
    expect(rows).toEqual([{ reports: 1, hosts: HOSTS }])
    const refused = Object.keys(answers).filter((kind) => kind !== '200')
    expect(refused.length).toBeGreaterThan(0)
    const isRetryLater = (answer: string) => /^(429|503), again in \d+ s$/.test(answer)
    const isAllowed = (answer: string) => isRetryLater(answer) || (HOSTS > 1000 && answer === CUT_OFF)
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
