import type { StoredRows } from './host-rows'

/** What is stored below a host, as of one version of it. */
export type HostState = {
  /** `host.applied_reports`: rises with every report that any console applied, so equal versions mean equal rows. */
  version: number
  rows: StoredRows
}
