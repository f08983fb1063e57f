import type { HistoryPoint, HostRows, Rows } from './host-rows'
import type { Cell } from './pg-array'

/** Rows of one table by key, each as the JSON of its cells: enough to see what a report changes. */
type Marks = ReadonlyMap<string, string>

/** What is stored below a host, as of one version of it. */
export type HostState = {
  /** `host.applied_reports`: rises with every report that any console applied, so equal versions mean equal rows. */
  version: number
  facts: string
  pgpus: Marks
  history: Marks
  virtualFunctions: Marks
  mdevs: Marks
  guests: Marks
  problems: string
}

export const markOf = (cells: readonly Cell[]): string => JSON.stringify(cells)

const marksOf = (rows: Rows | ReadonlyMap<string, HistoryPoint>): Marks =>
  new Map([...rows].map(([key, row]) => [key, markOf(row)]))

export const stateOf = (rows: HostRows, version: number): HostState => ({
  version,
  facts: markOf(rows.facts),
  pgpus: marksOf(rows.pgpus),
  history: marksOf(rows.history),
  virtualFunctions: marksOf(rows.virtualFunctions),
  mdevs: marksOf(rows.mdevs),
  guests: marksOf(rows.guests),
  problems: JSON.stringify(rows.problems),
})
