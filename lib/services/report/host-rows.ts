import type { Cell } from './pg-array'

/** Rows of one table below a host, by their key; the key is the first cell. */
export type Rows = ReadonlyMap<string, readonly Cell[]>

/**
 * What the history keeps of a pGPU: [type id text, framework, capacity, used, spare, orphan, returning, creatable]. Of a
 * report [type name, model] follow, which go with a point but make none.
 */
export type HistoryPoint = readonly Cell[]

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
  facts: readonly Cell[]
  pgpus: Rows
  /** By address of the pGPU. */
  history: ReadonlyMap<string, HistoryPoint>
  /** Keyed by pGPU address and own address: [pgpu address, address, driver, current type]. */
  virtualFunctions: Rows
  mdevs: Rows
  guests: Rows
  /** What each guest that holds anything of the host's pGPUs was last known to hold. */
  holdings: Rows
  /** [source, code, message], in the order of the report. */
  problems: readonly (readonly Cell[])[]
}

/** What a report says of each guest's holdings. */
export type ToldHoldings = {
  /** Of guests that hold something. */
  rows: Rows
  /** Guests of which it is not known what they hold. */
  unknown: ReadonlySet<string>
  /** False: guests that are missing may be there all the same. */
  isWhole: boolean
}

/** Everything that one report writes, ready for SQL. */
export type HostRows = Omit<StoredRows, 'holdings'> & {
  holdings: ToldHoldings
  counts: { guests: number | null; gpus: number; problems: number }
}
