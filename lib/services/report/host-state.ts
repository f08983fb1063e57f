import type { StoredRows } from './host-rows'

/** What is stored below a host, as of one version of it. */
export type HostState = {
  /** `host.applied_reports`: rises with every report that any console applied, so equal versions mean equal rows. */
  version: number
  /** The version whose report is stored as a whole; a difference is stored for each one after it. */
  fullVersion: number
  rows: StoredRows
}
