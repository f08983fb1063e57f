import type { HostDecision } from './decide-group'
import { compareHistory, compareHoldings, compareHost, type HostChanges, rowsAfter } from './host-changes'
import type { StoredRows } from './host-rows'
import type { HostState } from './host-state'
import type { BodyWrites } from './write-bodies'
import type { HistoryWrite } from './write-history'
import type { HostWrite } from './write-hosts'

/** What the reports of one host write, and what is stored then. */
export type HostPlan = {
  decision: HostDecision
  changes: HostChanges
  write: HostWrite
  history: HistoryWrite[]
  after: HostState
}

/** What is stored of the reports themselves: the last whole one and each difference after it. */
const planBodies = ({ applied }: HostDecision, stored: HostState): BodyWrites => {
  let { version, fullVersion } = stored
  let full: Uint8Array | null = null
  let differences: BodyWrites['differences'] = []
  for (const { body } of applied) {
    version += 1
    if (body.base === null || body.full !== null) {
      full = body.full
      fullVersion = version
      differences = []
    } else differences.push({ place: version - fullVersion - 1, edits: body.edits })
  }
  return { full, fullVersion, differences }
}

/** What the reports of one host change, one after the other in the history, all at once in the present. */
export const planHost = (decision: HostDecision, stored: HostState): HostPlan | null => {
  const { host, applied, moments } = decision
  const last = applied.at(-1)
  if (last === undefined) return null
  const history: HistoryWrite[] = []
  let rows: StoredRows = stored.rows
  for (const [place, { actor, position, at, rows: told }] of applied.entries()) {
    const after = rowsAfter(rows, told)
    const changes = compareHistory(rows, after)
    const holdings = compareHoldings(rows, after)
    history.push({ cloudId: actor.cloudId, host, position, at: moments[place] ?? at, changes, holdings })
    rows = after
  }
  const changes = compareHost(stored.rows, rows)
  const bodies = planBodies(decision, stored)
  return {
    decision,
    changes,
    write: { decision, last, facts: changes.facts, isChange: changes.isChange, bodies },
    history,
    after: { version: stored.version + applied.length, fullVersion: bodies.fullVersion, rows },
  }
}
