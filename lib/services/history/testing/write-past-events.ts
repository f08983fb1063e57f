import type { Finding } from '@/lib/domain/findings/finding'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { acknowledgeFinding } from '@/lib/services/finding/acknowledge-finding'
import type { PastChange } from '@/simulator/past/past-change'
import type { PastAcknowledgement, PastFinding } from '@/simulator/past/past-findings'
import { contextThen, databaseWithin, writePastChange } from './write-past-changes'

type Event = { at: number; write: (within: Database, cloud: Cloud) => Promise<void> }

const FIND = 'SELECT id FROM finding WHERE cloud_id = $1 AND key = $2'

const acknowledge = ({ key }: Finding, { by, at, days, note }: PastAcknowledgement): Event => ({
  at,
  write: async (within, cloud) => {
    const [found] = await within.query(FIND, [cloud.id, key], anyRow<{ id: number }>())
    if (found === undefined) throw new Error(`the finding ${key} of the past was not stored`)
    await acknowledgeFinding(contextThen(within, { by, at }), { id: found.id, body: { note, days } })
  },
})

/** Rounds in which a finding appeared or disappeared; unchanged rounds in between are left out. */
const roundsOf = (findings: readonly PastFinding[]): Event[] => {
  const times = new Set(findings.flatMap(({ openedAt, closedAt }) => [openedAt, closedAt ?? openedAt]))
  return [...times].map((at) => ({
    at,
    write: async (within, { id }) => {
      const open = findings.filter(
        ({ openedAt, closedAt }) => openedAt <= at && (closedAt === null || closedAt > at),
      )
      const detected = { findings: open.map(({ finding }) => finding), unverified: [] }
      await storeFindings(within, { cloudId: id, detected, at: new Date(at) })
    },
  }))
}

/** What people and reading rounds did and found in a past. */
export type PastEvents = { changes: readonly PastChange[]; findings: readonly PastFinding[] }

/**
 * Writes the changes, findings and acknowledgements of a past as the console's own verbs would have stored them, in the
 * order of their begin, all or nothing. The audit continues the existing chain.
 */
export const writePastEvents = async (
  database: Database,
  cloud: Cloud,
  { changes, findings }: PastEvents,
): Promise<void> => {
  const events: Event[] = [
    ...changes.map((change) => ({
      at: change.plannedAt,
      write: (within: Database, of: Cloud) => writePastChange(within, of, change),
    })),
    ...roundsOf(findings),
    ...findings.flatMap(({ finding, acknowledged }) =>
      acknowledged === null ? [] : [acknowledge(finding, acknowledged)],
    ),
  ]
  await database.transaction(async (connection) => {
    const within = databaseWithin(database, connection)
    for (const event of events.toSorted((a, b) => a.at - b.at)) await event.write(within, cloud)
  })
}
