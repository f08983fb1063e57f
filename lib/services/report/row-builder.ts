import 'server-only'
import { listFindings } from '@/lib/domain/findings/list-findings'
import type { HostDescription } from '@/lib/domain/host/types'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { Report } from '@/lib/schemas/agent/whole-report'
import type { ClockProblem } from './clock-problem'
import type { HostRows, Row } from './host-rows'
import {
  createListKeys,
  guestHolders,
  guestRows,
  type Holders,
  holdingRows,
  type ListKeys,
  mdevRows,
  unknownHolders,
} from './list-rows'
import { learnPgpuRows, nextPgpuRows, type PgpuRows } from './pgpu-rows'
import type { TypeRegistry } from './type-registry'

type Told = { report: Report; description: HostDescription; clockProblem: ClockProblem | null }

/** The rows of a host's last report, and what they were made of. */
type BuiltRows = Told & {
  /** Of the registry: ids of types from another one are not to be used. */
  epoch: number
  /** Each address once. */
  pgpus: readonly PgpuRows[]
  holders: Holders
  /** Of the rows; each build changes those of the one before. */
  keys: ListKeys
  rows: HostRows
}

/** What the rows of a host's next report are taken from as far as nothing changed. */
export type RowMemory = { built: BuiltRows | null }

export const createRowMemory = (): RowMemory => ({ built: null })

/** At once where the ids of all types are known, as for nearly every report after a host's first. */
export type RowBuilder = (told: Told & { memory?: RowMemory | undefined }) => HostRows | Promise<HostRows>

/** Two cards under one address cannot both be kept: the last one stands. */
const uniquePgpus = (pgpus: readonly Pgpu[]): readonly Pgpu[] => {
  const addresses = new Set(pgpus.map(({ address }) => address))
  if (addresses.size === pgpus.length) return pgpus
  return [...new Map(pgpus.map((pgpu) => [pgpu.address, pgpu])).values()]
}

/** The rows of the same pGPUs as in the last report; null: they are others, or ids must be asked for. */
const nextPgpus = ({ report, description }: Told, before: BuiltRows): readonly PgpuRows[] | null => {
  const { pgpus } = description
  const last = before.description.pgpus
  if (pgpus === last) return before.pgpus
  if (pgpus.length !== last.length || before.pgpus.length !== last.length) return null
  const { inventory } = before.report
  const next = before.pgpus.slice()
  for (let place = 0; place < pgpus.length; place += 1) {
    const pgpu = pgpus[place]
    const rows = before.pgpus[place]
    if (pgpu === undefined || pgpu === last[place]) continue
    if (rows?.pgpu.address !== pgpu.address) return null
    const made = nextPgpuRows(pgpu, { inventory: report.inventory, before: { inventory, rows } })
    if (made === null) return null
    next[place] = made
  }
  return next
}

const learnPgpus = async (
  { report: { inventory }, description }: Told,
  { registry, before }: { registry: TypeRegistry; before: BuiltRows | null },
): Promise<readonly PgpuRows[]> => {
  const learned: PgpuRows[] = []
  for (const pgpu of uniquePgpus(description.pgpus)) {
    const rows = before?.pgpus[learned.length]
    const last =
      before === null || rows?.pgpu.address !== pgpu.address
        ? null
        : { inventory: before.report.inventory, rows }
    const isSame = last?.rows.pgpu === pgpu
    learned.push(isSame ? last.rows : await learnPgpuRows(pgpu, { registry, inventory, before: last }))
  }
  return learned
}

type PgpuTables = Pick<HostRows, 'pgpus' | 'history' | 'virtualFunctions'>

const pgpuTables = (pgpus: readonly PgpuRows[]): PgpuTables => ({
  pgpus: pgpus.map(({ row }) => row),
  history: pgpus.map(({ point }) => point),
  virtualFunctions: pgpus.flatMap(({ virtualFunctions }) => virtualFunctions),
})

/** The tables of as many pGPUs as in the last report: those of last time with what differs. */
const tablesAfter = (pgpus: readonly PgpuRows[], before: BuiltRows): PgpuTables => {
  const { rows: last } = before
  if (pgpus === before.pgpus) return last
  const rows = last.pgpus.slice()
  const history = last.history.slice()
  let areSameFunctions = true
  for (let place = 0; place < pgpus.length; place += 1) {
    const made = pgpus[place]
    const known = before.pgpus[place]
    if (made === undefined || made === known) continue
    rows[place] = made.row
    history[place] = made.point
    areSameFunctions &&= made.virtualFunctions === known?.virtualFunctions
  }
  const virtualFunctions = areSameFunctions ? last.virtualFunctions : pgpuTables(pgpus).virtualFunctions
  return { pgpus: rows, history, virtualFunctions }
}

const haveSameFindings = (a: HostDescription, b: HostDescription): boolean =>
  a.findings === b.findings &&
  a.pgpus.length === b.pgpus.length &&
  (a.pgpus === b.pgpus ||
    a.pgpus.every((pgpu, place) => {
      const last = b.pgpus[place]
      return pgpu === last || (pgpu.findings.length === 0 && last?.findings.length === 0)
    }))

const factsOf = ({ report, description }: Told, before: BuiltRows | null): Row => {
  const { agentVersion, contractRevision, inventory } = report
  const isSame =
    before !== null &&
    agentVersion === before.report.agentVersion &&
    contractRevision === before.report.contractRevision &&
    inventory.host === before.report.inventory.host &&
    inventory.novaConfig === before.report.inventory.novaConfig &&
    haveSameFindings(description, before.description)
  if (isSame) return before.rows.facts
  return [
    agentVersion,
    contractRevision ?? 1,
    inventory.host.osName,
    inventory.host.kernel,
    inventory.host.libvirtVersion,
    inventory.host.qemuVersion,
    inventory.host.nvidiaDriverVersion,
    inventory.novaConfig?.deployment ?? null,
    JSON.stringify(listFindings(description)),
  ]
}

const problemsOf = (
  { report: { inventory }, clockProblem }: Told,
  before: BuiltRows | null,
): HostRows['problems'] => {
  const { problems } = inventory
  const isSame = problems === before?.report.inventory.problems && clockProblem === before.clockProblem
  if (isSame) return before.rows.problems
  return [...problems, ...(clockProblem === null ? [] : [clockProblem])].map(({ source, code, message }) => [
    source,
    code,
    message,
  ])
}

type Making = {
  /** Each address once. */
  pgpus: readonly PgpuRows[]
  tables: PgpuTables
  before: BuiltRows | null
  epoch: number
}

const makeRows = (told: Told, { pgpus, tables, before, epoch }: Making): BuiltRows => {
  const { report, description, clockProblem } = told
  const keys = before?.keys ?? createListKeys()
  const guests = guestRows(description, { before, keys })
  const holders = guestHolders(description, { rows: guests, before })
  const rows: HostRows = {
    facts: factsOf(told, before),
    pgpus: tables.pgpus,
    history: tables.history,
    virtualFunctions: tables.virtualFunctions,
    mdevs: mdevRows(description, { before, keys }),
    guests,
    holdings: holdingRows(holders, before),
    problems: problemsOf(told, before),
    guestCount: description.guests === null ? null : guests.length,
    unknownHolders: unknownHolders(description),
    hasAllGuests: description.guestGap === null,
  }
  return { report, description, clockProblem, epoch, pgpus, holders, keys, rows }
}

/**
 * Makes what a report writes: its description as rows, with the ids of its vGPU types. With a memory the rows of what came as
 * the same object again are those of the host's last report.
 */
export const createRowBuilder = (registry: TypeRegistry): RowBuilder => {
  const learnRows = async (told: Told, before: BuiltRows | null, epoch: number): Promise<BuiltRows> => {
    const pgpus = await learnPgpus(told, { registry, before })
    return makeRows(told, { pgpus, tables: pgpuTables(pgpus), before, epoch })
  }

  return (told) => {
    const { memory } = told
    const epoch = registry.epoch()
    const before = memory?.built?.epoch === epoch ? memory.built : null
    // A build that fails half-way, or that another one overtakes, leaves nothing to build on.
    if (memory !== undefined) memory.built = null
    const pgpus = before && nextPgpus(told, before)
    if (before !== null && pgpus !== null) {
      const built = makeRows(told, { pgpus, tables: tablesAfter(pgpus, before), before, epoch })
      if (memory !== undefined) memory.built = built
      return built.rows
    }
    return learnRows(told, before, epoch).then((built) => {
      if (memory !== undefined && registry.epoch() === epoch) memory.built = built
      return built.rows
    })
  }
}
