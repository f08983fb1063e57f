import 'server-only'
import { listFindings } from '@/lib/domain/findings/list-findings'
import type { HostDescription } from '@/lib/domain/host/types'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { copyMap } from '@/lib/util/copy-map'
import type { ClockProblem } from './clock-problem'
import type { HostRows, Rows } from './host-rows'
import { guestRows, mdevRows, toldHoldings } from './list-rows'
import type { Cell } from './pg-array'
import { learnPgpuRows, type PgpuRows } from './pgpu-rows'
import type { TypeRegistry } from './type-registry'

type Told = { report: Report; description: HostDescription; clockProblem: ClockProblem | null }

/** The rows of a host's last report, and what they were made of. */
type BuiltRows = Told & {
  /** Of the registry: ids of types from another one are not to be used. */
  epoch: number
  /** Each address once. */
  pgpus: readonly PgpuRows[]
  rows: HostRows
}

/** What the rows of a host's next report are taken from as far as nothing changed. */
export type RowMemory = { built: BuiltRows | null }

export const createRowMemory = (): RowMemory => ({ built: null })

export type RowBuilder = (told: Told & { memory?: RowMemory | undefined }) => Promise<HostRows>

/** Two cards under one address cannot both be kept: the last one stands. */
const uniquePgpus = (pgpus: readonly Pgpu[]): readonly Pgpu[] => {
  const addresses = new Set(pgpus.map(({ address }) => address))
  if (addresses.size === pgpus.length) return pgpus
  return [...new Map(pgpus.map((pgpu) => [pgpu.address, pgpu])).values()]
}

type PgpuTables = Pick<HostRows, 'pgpus' | 'history' | 'virtualFunctions'>

const pgpuTables = (pgpus: readonly PgpuRows[]): PgpuTables => {
  const functions = pgpus.flatMap(({ virtualFunctions }) => virtualFunctions)
  return {
    pgpus: new Map(pgpus.map(({ pgpu, row }) => [pgpu.address, row])),
    history: new Map(pgpus.map(({ pgpu, point }) => [pgpu.address, point])),
    virtualFunctions: new Map(functions.map((cells) => [`${cells[0]} ${cells[1]}`, cells])),
  }
}

/** The tables of the same pGPUs as in the last report: those of last time with what differs. */
const tablesAfter = (pgpus: readonly PgpuRows[], before: BuiltRows): PgpuTables => {
  const changed = pgpus.filter((rows, place) => rows !== before.pgpus[place])
  const { rows: last } = before
  if (changed.length === 0) return last
  const rows = copyMap(last.pgpus)
  const history = copyMap(last.history)
  for (const { pgpu, row, point } of changed) {
    rows.set(pgpu.address, row)
    history.set(pgpu.address, point)
  }
  const areSameFunctions = pgpus.every(
    ({ virtualFunctions }, place) => virtualFunctions === before.pgpus[place]?.virtualFunctions,
  )
  const virtualFunctions: Rows = areSameFunctions ? last.virtualFunctions : pgpuTables(pgpus).virtualFunctions
  return { pgpus: rows, history, virtualFunctions }
}

const haveSameFindings = (a: HostDescription, b: HostDescription): boolean =>
  a.findings === b.findings &&
  a.pgpus.length === b.pgpus.length &&
  a.pgpus.every((pgpu, place) => {
    const last = b.pgpus[place]
    return pgpu === last || (pgpu.findings.length === 0 && last?.findings.length === 0)
  })

const factsOf = ({ report, description }: Told, before: BuiltRows | null): readonly Cell[] => {
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

/**
 * Makes what a report writes: its description as rows, with the ids of its vGPU types. With a memory the rows of what came as
 * the same object again are those of the host's last report.
 */
export const createRowBuilder = (registry: TypeRegistry): RowBuilder => {
  const learnAll = async (
    { report: { inventory }, description }: Told,
    before: BuiltRows | null,
  ): Promise<readonly PgpuRows[]> => {
    const learned: PgpuRows[] = []
    for (const pgpu of uniquePgpus(description.pgpus)) {
      const known = before?.pgpus[learned.length]
      const last =
        before === null || known?.pgpu.address !== pgpu.address
          ? null
          : { inventory: before.report.inventory, rows: known }
      const isSame = last?.rows.pgpu === pgpu
      learned.push(isSame ? last.rows : await learnPgpuRows(pgpu, { registry, inventory, before: last }))
    }
    return learned
  }

  return async ({ memory, ...told }) => {
    const { description } = told
    const epoch = registry.epoch()
    const before = memory?.built?.epoch === epoch ? memory.built : null
    const pgpus = await learnAll(told, before)
    const isSameHost =
      before !== null &&
      pgpus.length === before.pgpus.length &&
      pgpus.every(({ pgpu }, place) => pgpu.address === before.pgpus[place]?.pgpu.address)
    const guests = guestRows(description, before)
    const problems = problemsOf(told, before)
    const {
      pgpus: pgpuRows,
      history,
      virtualFunctions,
    } = isSameHost ? tablesAfter(pgpus, before) : pgpuTables(pgpus)
    const rows: HostRows = {
      facts: factsOf(told, before),
      counts: {
        guests: description.guests === null ? null : guests.size,
        gpus: pgpus.length,
        problems: problems.length,
      },
      pgpus: pgpuRows,
      history,
      virtualFunctions,
      mdevs: mdevRows(description, before),
      guests,
      holdings: toldHoldings(description, { rows: guests, before }),
      problems,
    }
    if (memory !== undefined && registry.epoch() === epoch) memory.built = { ...told, epoch, pgpus, rows }
    return rows
  }
}
