import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { type Answer, reportJson } from '@/lib/server/agent-api/testing/agent-console'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'

export const REPORTED_HOST = t4SeedHost().host.name

const FULL = t4SeedHost()
/** Every second report differs in what guests hold, so that each leaves rows in the history. */
const inventoryOf = (sequence: number, host: string) => ({
  ...FULL,
  guests: sequence % 2 === 0 ? FULL.guests : [],
  host: { ...FULL.host, name: host, osName: `version ${sequence}` },
})

/** What agents need of a console. */
export type ReportingConsole = {
  enrolled: (hostName?: string) => Promise<string>
  report: (credential: string, json: string) => Promise<ReportAnswer>
}
type ReportAnswer = Pick<Answer, 'status' | 'body'> & {
  headers: Record<string, string | string[] | undefined>
}

/** Sends reports of one host and counts what was acknowledged. What was refused is sent again under its own position. */
export const createReporter = async (console: ReportingConsole, host = REPORTED_HOST) => {
  const credential = await console.enrolled(host)
  let sequence = 1
  let acknowledged = 0
  return {
    host,
    acknowledged: () => acknowledged,
    send: async () => {
      const inventory = inventoryOf(sequence, host)
      const answer = await console.report(
        credential,
        reportJson({ inventory, position: { boot: 1, sequence } }),
      )
      if (answer.status === 200) {
        acknowledged += 1
        sequence += 1
      }
      return answer
    },
  }
}

export type Reporter = Awaited<ReturnType<typeof createReporter>>

type HostRow = { name: string; reports: number; sequence: number; newest: number; doubled: number }

const STORED = `
SELECT h.name, h.applied_reports AS reports, h.sequence,
  (SELECT max(c.sequence) FROM guest_change c WHERE c.host_id = h.id) AS newest,
  (SELECT count(*) FROM (SELECT 1 FROM guest_change c WHERE c.host_id = h.id
     GROUP BY c.enrolment, c.boot, c.sequence, c.uuid HAVING count(*) > 1) d) AS doubled
FROM host h ORDER BY h.name`

/** What the database holds against what was acknowledged, in sentences: what is lost, doubled, or half there. */
export const compareWithStored = async (
  database: Database,
  reporters: readonly Reporter[],
): Promise<string[]> => {
  const stored = new Map((await database.query(STORED, [], anyRow<HostRow>())).map((row) => [row.name, row]))
  return reporters.flatMap(({ host, acknowledged }) => {
    const row = stored.get(host)
    const lastAcknowledged = acknowledged()
    if (row === undefined) return [`${host} is not stored`]
    return [
      ...(row.reports < lastAcknowledged
        ? [`${host}: ${lastAcknowledged} reports acknowledged, ${row.reports} stored`]
        : []),
      // The answer to the last one may have been lost on its way.
      ...(row.reports > lastAcknowledged + 1
        ? [`${host}: ${row.reports} stored, ${lastAcknowledged} acknowledged`]
        : []),
      ...(row.sequence < lastAcknowledged
        ? [`${host}: is at ${row.sequence} after ${lastAcknowledged}`]
        : []),
      // In the first report the host has no guests, of which there is no change.
      ...(row.sequence > 1 && row.newest !== row.sequence
        ? [`${host}: its history ends at ${row.newest}`]
        : []),
      ...(row.doubled > 0 ? [`${host}: ${row.doubled} changes doubled`] : []),
    ]
  })
}

/** Looks until it is so, for 20 s at most; the last look. */
export const waitFor = async <T>(look: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> => {
  const until = Date.now() + 20_000
  for (;;) {
    const value = await look()
    if (isDone(value) || Date.now() > until) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
