import 'server-only'
import { listFindings } from '@/lib/domain/findings/list-findings'
import { mostUrgent } from '@/lib/domain/findings/severity'
import type { DescribedGuest, DescribedMdev, HostDescription } from '@/lib/domain/host/types'
import type { Pgpu, PgpuNumbers } from '@/lib/domain/pgpu/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Report } from '@/lib/schemas/agent/whole-report'
import type { ClockProblem } from './clock-problem'
import type { HistoryPoint, HostRows, Rows, ToldHoldings } from './host-rows'
import type { Cell } from './pg-array'
import type { TypeRegistry } from './type-registry'
import { type PgpuWordings, pgpuWordings } from './vgpu-type-wording'

const NUMBERS = ['capacity', 'used', 'spare', 'orphan', 'returning', 'creatable'] as const

const values = (numbers: PgpuNumbers): Cell[] => NUMBERS.map((name) => numbers[name].value)

const unknownReason = (numbers: PgpuNumbers): string | null =>
  NUMBERS.map((name) => numbers[name].reason).find((reason) => reason !== null) ?? null

type TypeIds = { typeId: number | null; typeSetId: number | null }

const pgpuRow = (pgpu: Pgpu, { typeId, typeSetId }: TypeIds): readonly Cell[] => {
  const finding = mostUrgent(pgpu.findings)
  return [
    pgpu.address,
    pgpu.vendorId,
    pgpu.deviceId,
    pgpu.model,
    pgpu.framework,
    pgpu.isMigBacked,
    pgpu.driver,
    pgpu.numaNode,
    pgpu.framebufferMib,
    typeId,
    typeSetId,
    pgpu.supportedTypes?.map((type) => type.creatable) ?? null,
    ...values(pgpu.numbers),
    finding?.code ?? null,
    finding?.severity ?? null,
    finding?.sentence ?? null,
    unknownReason(pgpu.numbers),
  ]
}

const historyPoint = (pgpu: Pgpu): HistoryPoint => [
  pgpu.currentType?.typeId ?? null,
  pgpu.framework,
  ...values(pgpu.numbers),
  pgpu.currentType?.shortName ?? null,
  pgpu.model,
]

/** A row is made once of what comes as the same object again. */
const remembering = <Item extends object>(
  make: (item: Item) => readonly Cell[],
): ((item: Item) => readonly Cell[]) => {
  const rows = new WeakMap<Item, readonly Cell[]>()
  return (item) => {
    const row = rows.get(item) ?? make(item)
    rows.set(item, row)
    return row
  }
}

const mdevRow = remembering((mdev: DescribedMdev): readonly Cell[] => [
  mdev.uuid,
  mdev.pgpuAddress,
  mdev.parent,
  mdev.typeId,
  mdev.isActive,
  mdev.isDefined,
  mdev.isAutostart,
  mdev.occupant?.guestUuid ?? null,
])

const guestRow = remembering((guest: DescribedGuest): readonly Cell[] => [
  guest.guestUuid,
  guest.guestName,
  guest.guestState,
  guest.serverName,
  guest.flavorName,
  guest.projectId,
  guest.projectName,
  guest.userName,
  guest.pgpuAddresses,
])

const holdingRow = remembering((guest: DescribedGuest): readonly Cell[] => [
  guest.guestUuid,
  guest.serverName ?? guest.guestName,
  guest.flavorName,
  guest.projectId,
  guest.projectName,
  (guest.holdings ?? []).map(({ pgpuAddress }) => pgpuAddress),
  (guest.holdings ?? []).map(({ typeId }) => typeId ?? ''),
])

const byFirstCell = (rows: readonly (readonly Cell[])[]): Rows =>
  new Map(rows.map((row) => [String(row[0]), row]))

/** Two cards under one address, or two guests of one uuid, cannot both be kept: the last one stands. */
const unique = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
]

const toldHoldings = ({ guests, guestGap }: HostDescription): ToldHoldings => {
  const unknown = (guests ?? []).filter(({ holdings }) => holdings === null)
  const holders = (guests ?? []).filter(({ holdings }) => holdings !== null && holdings.length > 0)
  return {
    rows: byFirstCell(holders.map(holdingRow)),
    unknown: new Set(unknown.map(({ guestUuid }) => guestUuid)),
    isWhole: guestGap === null,
  }
}

/** The rows of one pGPU. */
type PgpuRows = {
  row: readonly Cell[]
  point: HistoryPoint
  virtualFunctions: readonly (readonly Cell[])[]
}

const typeIdsOf = async (registry: TypeRegistry, { current, supported }: PgpuWordings): Promise<TypeIds> => {
  const [typeId = null] = current === null ? [] : await registry.typeIds([current])
  if (supported === null) return { typeId, typeSetId: null }
  const [typeSetId = null] = await registry.setIds([await registry.typeIds(supported)])
  return { typeId, typeSetId }
}

export type RowBuilder = (input: {
  report: Report
  description: HostDescription
  clockProblem: ClockProblem | null
}) => Promise<HostRows>

/** Makes what a report writes: its description as rows, with the ids of its vGPU types. */
export const createRowBuilder = (registry: TypeRegistry): RowBuilder => {
  /** Of pGPUs that were described before and came as the same object again. */
  let known = new WeakMap<Pgpu, PgpuRows>()
  let epoch = registry.epoch()

  const learnRows = async (pgpu: Pgpu, inventory: Inventory): Promise<PgpuRows> => {
    const before = registry.epoch()
    const rows = {
      row: pgpuRow(pgpu, await typeIdsOf(registry, pgpuWordings(pgpu, inventory))),
      point: historyPoint(pgpu),
      virtualFunctions: pgpu.virtualFunctions.map((vf) => [
        pgpu.address,
        vf.address,
        vf.driver,
        vf.currentType,
      ]),
    }
    if (before === registry.epoch()) known.set(pgpu, rows)
    return rows
  }

  return async ({ report, description, clockProblem }) => {
    const { inventory } = report
    const pgpus = unique(description.pgpus, (pgpu) => pgpu.address)
    if (registry.epoch() !== epoch) known = new WeakMap()
    epoch = registry.epoch()
    const built: PgpuRows[] = []
    for (const pgpu of pgpus) built.push(known.get(pgpu) ?? (await learnRows(pgpu, inventory)))
    const guests = byFirstCell((description.guests ?? []).map(guestRow))
    const problems = [...inventory.problems, ...(clockProblem === null ? [] : [clockProblem])]
    const functions = built.flatMap(({ virtualFunctions }) => virtualFunctions)
    return {
      facts: [
        report.agentVersion,
        report.contractRevision ?? 1,
        inventory.host.osName,
        inventory.host.kernel,
        inventory.host.libvirtVersion,
        inventory.host.qemuVersion,
        inventory.host.nvidiaDriverVersion,
        inventory.novaConfig?.deployment ?? null,
        JSON.stringify(listFindings(description)),
      ],
      counts: {
        guests: description.guests === null ? null : guests.size,
        gpus: pgpus.length,
        problems: problems.length,
      },
      pgpus: byFirstCell(built.map(({ row }) => row)),
      history: new Map(pgpus.map((pgpu, place) => [pgpu.address, built[place]?.point ?? []])),
      virtualFunctions: new Map(functions.map((cells) => [`${cells[0]} ${cells[1]}`, cells])),
      mdevs: byFirstCell((description.mdevs ?? []).map(mdevRow)),
      guests,
      holdings: toldHoldings(description),
      problems: problems.map(({ source, code, message }) => [source, code, message]),
    }
  }
}
