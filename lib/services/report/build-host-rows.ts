import 'server-only'
import { listFindings } from '@/lib/domain/findings/list-findings'
import { mostUrgent } from '@/lib/domain/findings/severity'
import type { DescribedGuest, DescribedMdev, HostDescription } from '@/lib/domain/host/types'
import type { Pgpu, PgpuNumbers } from '@/lib/domain/pgpu/types'
import type { Report } from '@/lib/schemas/agent/report'
import type { ClockProblem } from './clock-problem'
import type { HistoryPoint, HostRows, Rows } from './host-rows'
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
]

const mdevRow = (mdev: DescribedMdev): readonly Cell[] => [
  mdev.uuid,
  mdev.pgpuAddress,
  mdev.parent,
  mdev.typeId,
  mdev.isActive,
  mdev.isDefined,
  mdev.isAutostart,
  mdev.occupant?.guestUuid ?? null,
]

const guestRow = (guest: DescribedGuest): readonly Cell[] => [
  guest.guestUuid,
  guest.guestName,
  guest.guestState,
  guest.serverName,
  guest.flavorName,
  guest.projectId,
  guest.projectName,
  guest.userName,
  guest.pgpuAddresses,
]

const virtualFunctionRows = (pgpus: readonly Pgpu[]): Rows => {
  const rows = new Map<string, readonly Cell[]>()
  for (const pgpu of pgpus)
    for (const vf of pgpu.virtualFunctions)
      rows.set(`${pgpu.address} ${vf.address}`, [pgpu.address, vf.address, vf.driver, vf.currentType])
  return rows
}

const byFirstCell = (rows: readonly (readonly Cell[])[]): Rows =>
  new Map(rows.map((row) => [String(row[0]), row]))

const internTypes = async (registry: TypeRegistry, all: readonly PgpuWordings[]): Promise<TypeIds[]> => {
  const wordings = all.flatMap(({ current, supported }) => [
    ...(current ? [current] : []),
    ...(supported ?? []),
  ])
  const ids = await registry.typeIds(wordings)
  const idOf = new Map(wordings.map((wording, place) => [wording, ids[place] ?? 0]))
  const sets = all.map(({ supported }) => supported?.map((wording) => idOf.get(wording) ?? 0) ?? null)
  const known = sets.filter((set) => set !== null)
  const setIds = await registry.setIds(known)
  const idOfSet = new Map(known.map((set, place) => [set, setIds[place] ?? 0]))
  return all.map(({ current }, place) => {
    const set = sets[place] ?? null
    return {
      typeId: current === null ? null : (idOf.get(current) ?? null),
      typeSetId: set === null ? null : (idOfSet.get(set) ?? null),
    }
  })
}

/** Two cards under one address, or two guests of one uuid, cannot both be kept: the last one stands. */
const unique = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
]

/** What a report writes: its description as rows, with the ids of its vGPU types. */
export const buildHostRows = async ({
  report,
  description,
  clockProblem,
  registry,
}: {
  report: Report
  description: HostDescription
  clockProblem: ClockProblem | null
  registry: TypeRegistry
}): Promise<HostRows> => {
  const { inventory } = report
  const pgpus = unique(description.pgpus, (pgpu) => pgpu.address)
  const typeIds = await internTypes(
    registry,
    pgpus.map((pgpu) => pgpuWordings(pgpu, inventory)),
  )
  const guests = byFirstCell((description.guests ?? []).map(guestRow))
  const problems = [...inventory.problems, ...(clockProblem === null ? [] : [clockProblem])]
  return {
    facts: [
      report.agentVersion,
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
    pgpus: byFirstCell(
      pgpus.map((pgpu, place) => pgpuRow(pgpu, typeIds[place] ?? { typeId: null, typeSetId: null })),
    ),
    history: new Map(pgpus.map((pgpu) => [pgpu.address, historyPoint(pgpu)])),
    virtualFunctions: virtualFunctionRows(pgpus),
    mdevs: byFirstCell((description.mdevs ?? []).map(mdevRow)),
    guests,
    problems: problems.map(({ source, code, message }) => [source, code, message]),
  }
}
