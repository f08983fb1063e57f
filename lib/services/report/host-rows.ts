import type { Cell } from './pg-array'

/** The cells of one row, in the order of its table's columns. */
export type Row = readonly Cell[]

/** Rows of one table below a host, in any order, each with a key of its own: its first cell. */
export type Rows = readonly Row[]

/** Facts of the host row that change seldom, in the order of HOST_FACTS. */
export const HOST_FACTS = [
  'agent_version',
  'contract_revision',
  'os_name',
  'kernel',
  'libvirt_version',
  'qemu_version',
  'driver_version',
  'deployment',
  'findings',
] as const

/** What is stored below a host, as rows. */
export type StoredRows = {
  facts: Row
  pgpus: Rows
  /**
   * What the history keeps of each pGPU: [address, type id text, framework, capacity, used, spare, orphan, returning, creatable].
   * Of a report [type name, model] follow, which go with a point but make none.
   */
  history: Rows
  /** [pgpu address, address, driver, current type], of which both addresses are the key. */
  virtualFunctions: Rows
  mdevs: Rows
  guests: Rows
  /** What each guest that holds anything of the host's pGPUs was last known to hold. */
  holdings: Rows
  /** [source, code, message], in the order of the report. */
  problems: readonly Row[]
}

/** Everything that one report writes, ready for SQL; its holdings are those that it tells. */
export type HostRows = StoredRows & {
  /** Null: the guests could not be read. */
  guestCount: number | null
  /** Guests of which it is not known what they hold. */
  unknownHolders: ReadonlySet<string>
  /** False: guests that are missing may be there all the same. */
  hasAllGuests: boolean
}
