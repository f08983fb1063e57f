import { hash } from 'node:crypto'
import { listFindings } from '@/lib/domain/findings/list-findings'
import type { DescribedGuest, HostDescription } from '@/lib/domain/host/types'
import { worstFinding } from '@/lib/domain/host-findings/severity'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { GpuDevice, Inventory, VgpuType } from '@/lib/schemas/agent/inventory'
import type { Report } from '@/lib/schemas/agent/whole-report'
import type { Cell } from '@/lib/server/database/pg-array'
import type { ClockProblem } from './report-clock'

/** The cells of one row, in the order of its table's columns. */
export type Row = readonly Cell[]

/** Rows of one table of a host, in any order; the first cell of each is its key. */
export type Rows = readonly Row[]

/** Facts of the host's row, in the order of the `facts` of HostRows. Both last ones are JSON. */
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
  'problems',
] as const

/** What is stored below a host, as rows. Cells that were read from the database are texts. */
export type StoredRows = {
  /** Cells of PGPU in write-tables.ts, with digests in place of the ids of vGPU types. */
  pgpus: Rows
  /**
   * What the history keeps of each pGPU: [address, type id text, framework, capacity, used, spare, orphan, returning, creatable].
   * A report adds [type name, model], which are written with a point and do not make a new one.
   */
  points: Rows
  guests: Rows
  /** What each guest that holds anything of the host's pGPUs was last known to hold. */
  holdings: Rows
}

/** A vGPU type in one driver's wording: what a row of vgpu_type holds. */
type Wording = Pick<VgpuType, 'typeId' | 'name' | 'description' | 'deviceApi'>

/** vGPU types and sets of them by their digests; rows of pGPUs refer to these. */
export type TypeBook = { types: Map<string, Wording>; sets: Map<string, readonly string[]> }

/** Everything that one report writes, ready for SQL; its holdings are those that it reports. */
export type HostRows = StoredRows & {
  facts: Row
  types: TypeBook
  problemCount: number
  /** Null: the guests could not be read. */
  guestCount: number | null
  /** Guests of which it is not known what they hold. */
  unknownHolders: ReadonlySet<string>
  /** False: guests that are missing may exist nevertheless. */
  hasAllGuests: boolean
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url')

type PgpuTypes = { type: string | null; set: string | null }

/** Collects the types that the rows of one report refer to. */
const createTypeDigests = (inventory: Inventory): { book: TypeBook; of: (pgpu: Pgpu) => PgpuTypes } => {
  const book: TypeBook = { types: new Map(), sets: new Map() }
  const typeDigests = new Map<Wording, string>()
  /** Cards of one model offer the same types, which are worked out once. */
  const known = new Map<string, { own: ReadonlyMap<string, Wording>; sets: Map<string, string> }>()

  const typeDigest = (wording: Wording): string => {
    const held = typeDigests.get(wording)
    if (held !== undefined) return held
    const { typeId, name, description, deviceApi } = wording
    const digest = digestOf(JSON.stringify([typeId, name, description, deviceApi]))
    typeDigests.set(wording, digest)
    book.types.set(digest, wording)
    return digest
  }

  const setDigest = (wordings: readonly Wording[]): string => {
    const types = wordings.map(typeDigest)
    const digest = digestOf(types.join())
    book.sets.set(digest, types)
    return digest
  }

  /** Indexes of the types that a card's own lists name, each once. */
  const ownIndexes = (gpu: GpuDevice | undefined): number[] => {
    if (gpu === undefined) return []
    const functions = gpu.virtualFunctions.filter((vf) => vf.mdevTypes !== null)
    const parents = functions.length > 0 ? functions : [gpu]
    return [...new Set(parents.flatMap(({ mdevTypes }) => (mdevTypes ?? []).map(([index]) => index)))]
  }

  /** By type id; the first wording of one id counts, as in lib/domain. */
  const wordingsAt = (indexes: readonly number[]): ReadonlyMap<string, Wording> => {
    const wordings = new Map<string, Wording>()
    for (const index of indexes) {
      const wording = inventory.vgpuTypes[index]
      if (wording !== undefined && !wordings.has(wording.typeId)) wordings.set(wording.typeId, wording)
    }
    return wordings
  }

  return {
    book,
    of: ({ address, currentType, supportedTypes }) => {
      const indexes = ownIndexes(inventory.gpus.find((gpu) => gpu.address === address))
      const key = indexes.join()
      const { own, sets } = known.get(key) ?? { own: wordingsAt(indexes), sets: new Map<string, string>() }
      known.set(key, { own, sets })
      // A type of vendor VFIO has no wording but its id and name.
      const wordingOf = ({ typeId, name }: { typeId: string; name: string | null }): Wording =>
        own.get(typeId) ?? { typeId, name, description: null, deviceApi: null }
      const current =
        currentType &&
        (own.get(currentType.typeId) ??
          inventory.vgpuTypes.find(({ typeId }) => typeId === currentType.typeId) ??
          wordingOf(currentType))
      const setOf = (types: NonNullable<Pgpu['supportedTypes']>): string => {
        const setKey = JSON.stringify(
          types.map(({ typeId, name }) => (own.has(typeId) ? typeId : [typeId, name])),
        )
        const set = sets.get(setKey) ?? setDigest(types.map(wordingOf))
        sets.set(setKey, set)
        return set
      }
      return { type: current && typeDigest(current), set: supportedTypes && setOf(supportedTypes) }
    },
  }
}

const pgpuRow = (pgpu: Pgpu, { type, set }: PgpuTypes): Row => {
  const { numbers, findings } = pgpu
  const { capacity, used, spare, orphan, returning, creatable } = numbers
  const finding = findings.length === 0 ? null : worstFinding(findings)
  const unknown = [capacity, used, spare, orphan, returning, creatable].find(({ reason }) => reason !== null)
  return [
    pgpu.address,
    pgpu.model,
    pgpu.framework,
    pgpu.numaNode,
    pgpu.framebufferMib,
    type,
    set,
    capacity.value,
    used.value,
    spare.value,
    orphan.value,
    returning.value,
    creatable.value,
    finding?.code ?? null,
    finding?.severity ?? null,
    finding?.sentence ?? null,
    unknown?.reason ?? null,
  ]
}

const historyPoint = ({ address, currentType, framework, numbers, model }: Pgpu): Row => {
  const { capacity, used, spare, orphan, returning, creatable } = numbers
  return [
    address,
    currentType?.typeId ?? null,
    framework,
    capacity.value,
    used.value,
    spare.value,
    orphan.value,
    returning.value,
    creatable.value,
    currentType?.shortName ?? null,
    model,
  ]
}

const guestRow = (guest: DescribedGuest): Row => [
  guest.guestUuid,
  guest.guestName,
  guest.serverName,
  guest.projectId,
  guest.projectName,
  guest.userName,
  guest.pgpuAddresses,
]

/** None: the guest holds nothing, or it is not known what. */
const holdingRows = ({ holdings, ...guest }: DescribedGuest): Row[] =>
  holdings === null || holdings.length === 0
    ? []
    : [
        [
          guest.guestUuid,
          guest.serverName ?? guest.guestName,
          guest.flavorName,
          guest.projectId,
          guest.projectName,
          holdings.map(({ pgpuAddress }) => pgpuAddress),
          holdings.map(({ typeId }) => typeId ?? ''),
        ],
      ]

/** Two entries with one key cannot both be stored: the last one counts. */
const lastByKey = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
]

type RowsInput = { report: Report; description: HostDescription; clockProblem: ClockProblem | null }

const problemsOf = ({ report, clockProblem }: RowsInput) =>
  [...report.inventory.problems, ...(clockProblem === null ? [] : [clockProblem])].map(
    ({ source, code, message }) => ({ source, code, message }),
  )

const factsOf = ({ report, description }: RowsInput, problems: ReturnType<typeof problemsOf>): Row => {
  const { agentVersion, contractRevision, inventory } = report
  const { host, novaConfig } = inventory
  return [
    agentVersion,
    contractRevision ?? 1,
    host.osName,
    host.kernel,
    host.libvirtVersion,
    host.qemuVersion,
    host.nvidiaDriverVersion,
    novaConfig?.deployment ?? null,
    JSON.stringify(listFindings(description)),
    JSON.stringify(problems),
  ]
}

/** What a report writes: its description as rows. Pure. */
export const hostRows = (input: RowsInput): HostRows => {
  const { report, description } = input
  const digests = createTypeDigests(report.inventory)
  const pgpus = lastByKey(description.pgpus, ({ address }) => address)
  const guests = lastByKey(description.guests ?? [], ({ guestUuid }) => guestUuid)
  const problems = problemsOf(input)
  const areHoldingsUnread = description.mdevs === null
  return {
    facts: factsOf(input, problems),
    pgpus: pgpus.map((pgpu) => pgpuRow(pgpu, digests.of(pgpu))),
    points: pgpus.map(historyPoint),
    guests: guests.map(guestRow),
    holdings: guests.flatMap(holdingRows),
    types: digests.book,
    problemCount: problems.length,
    guestCount: description.guests === null ? null : guests.length,
    unknownHolders: new Set(
      guests.flatMap(({ guestUuid, holdings }) =>
        areHoldingsUnread && holdings === null ? [guestUuid] : [],
      ),
    ),
    hasAllGuests: description.guestGap === null,
  }
}
