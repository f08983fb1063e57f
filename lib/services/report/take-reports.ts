import 'server-only'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { freeingRefused } from '@/lib/server/agent-api/free-at-once'
import type { AgentActor, GroupMember, Outcome, ReportBody } from './group-member'
import type { Waiter } from './group-queue'
import { memberOfReport, type ReportArrival } from './ingest-report'
import type { ReportReader } from './report-reader'
import { createReportTurns } from './report-turns'
import type { RowBuilder } from './row-builder'

const compress = promisify(gzip)

/** The JSON of a report or of a difference. `gzipped`: as it came; null: it came plain. Held by nobody else. */
export type ReportBytes = { json: Buffer; gzipped: Buffer | null; isDifference: boolean }

/** A report whose body is there. */
export type UnreadReport = { actor: AgentActor; bytes: ReportBytes; arrival: ReportArrival }

type Waiting = { unread: UnreadReport; waiter: Waiter<Outcome> }
type Read = { report: Report; body: ReportBody }

/**
 * Takes reports from their bytes to the queue of groups, those that came at once together: all of them are read before any is
 * described. What has to wait for something goes on by itself. A refusal is told to its own sender.
 */
export const createReportTaker = ({
  reader,
  buildRows,
  commit,
}: {
  reader: ReportReader
  buildRows: RowBuilder
  commit: (member: GroupMember, waiter: Waiter<Outcome>) => void
}): ((unread: UnreadReport) => Promise<Outcome>) => {
  const ingest = { reader, buildRows }

  const read = ({ actor: { hostId }, bytes }: UnreadReport): Read | Promise<Read> => {
    const { json, gzipped, isDifference } = bytes
    if (isDifference) return reader.readDifference(hostId, json)
    const report = reader.read(hostId, json)
    if (gzipped !== null) return { report, body: { base: null, full: gzipped } }
    return compress(json).then((full) => ({ report, body: { base: null, full } }))
  }

  const enqueue = ({ unread: { actor, arrival }, waiter }: Waiting, { report, body }: Read): void => {
    try {
      const member = memberOfReport({ actor, ingest }, { report, body, arrival })
      if (member instanceof Promise) member.then((made) => commit(made, waiter)).catch(waiter.reject)
      else commit(member, waiter)
    } catch (error) {
      waiter.reject(error)
    }
  }

  const take = (came: readonly Waiting[]): void => {
    const next: { waiting: Waiting; done: Read }[] = []
    for (const waiting of came) {
      const { unread, waiter } = waiting
      try {
        // The reader keeps what it takes, and what it refuses is over.
        const done = freeingRefused(unread.bytes.json, () => read(unread))
        if (done instanceof Promise) done.then((later) => enqueue(waiting, later), waiter.reject)
        else next.push({ waiting, done })
      } catch (error) {
        waiter.reject(error)
      }
    }
    for (const { waiting, done } of next) enqueue(waiting, done)
  }

  const come = createReportTurns<Waiting>({ take })
  return (unread) => new Promise((resolve, reject) => come({ unread, waiter: { resolve, reject } }))
}
