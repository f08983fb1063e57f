import 'server-only'
import { mostUrgent } from '@/lib/domain/findings/severity'
import type { Pgpu, PgpuNumbers } from '@/lib/domain/pgpu/types'
import type { GpuDevice, Inventory } from '@/lib/schemas/agent/inventory'
import type { HistoryPoint } from './host-rows'
import type { Cell } from './pg-array'
import { isSameRow } from './same-cells'
import type { TypeRegistry } from './type-registry'
import { pgpuWordings } from './vgpu-type-wording'

/** The rows of one pGPU, and what they were made of. */
export type PgpuRows = {
  pgpu: Pgpu
  types: TypeIds
  row: readonly Cell[]
  point: HistoryPoint
  virtualFunctions: readonly (readonly Cell[])[]
}

type TypeIds = { typeId: number | null; typeSetId: number | null }

const NUMBERS = ['capacity', 'used', 'spare', 'orphan', 'returning', 'creatable'] as const

const values = (numbers: PgpuNumbers): Cell[] => NUMBERS.map((name) => numbers[name].value)

const unknownReason = (numbers: PgpuNumbers): string | null =>
  NUMBERS.map((name) => numbers[name].reason).find((reason) => reason !== null) ?? null

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

/** The list of last time when nothing of it differs. */
const functionRows = (pgpu: Pgpu, before: PgpuRows | null): PgpuRows['virtualFunctions'] => {
  const rows = pgpu.virtualFunctions.map((vf) => [pgpu.address, vf.address, vf.driver, vf.currentType])
  const last = before?.virtualFunctions
  const isSame = rows.length === last?.length && rows.every((row, place) => isSameRow(row, last[place] ?? []))
  return isSame ? last : rows
}

const typeIdsOf = async (
  pgpu: Pgpu,
  { registry, inventory }: { registry: TypeRegistry; inventory: Inventory },
): Promise<TypeIds> => {
  const { current, supported } = pgpuWordings(pgpu, inventory)
  const [typeId = null] = current === null ? [] : await registry.typeIds([current])
  if (supported === null) return { typeId, typeSetId: null }
  const [typeSetId = null] = await registry.setIds([await registry.typeIds(supported)])
  return { typeId, typeSetId }
}

type Typed = { typeId: string; name: string | null } | null | undefined

const isSameType = (a: Typed, b: Typed): boolean =>
  a === b || (a != null && b != null && a.typeId === b.typeId && a.name === b.name)

/** The types that a device names by their places in the report's list. */
const isSameOffer = (a: GpuDevice, b: GpuDevice): boolean => {
  if (a === b) return true
  const functions = [b, ...b.virtualFunctions]
  return [a, ...a.virtualFunctions].every((parent, n) => {
    const types = functions[n]?.mdevTypes
    if (parent.mdevTypes === null || types == null) return parent.mdevTypes === types
    const { mdevTypes } = parent
    return mdevTypes.length === types.length && mdevTypes.every(([place], at) => place === types[at]?.[0])
  })
}

/** Whether the types of two readings of a pGPU go by the same words: then they have the same ids. */
const haveSameWords = (
  { pgpu, inventory }: { pgpu: Pgpu; inventory: Inventory },
  before: { pgpu: Pgpu; inventory: Inventory },
): boolean => {
  const types = pgpu.supportedTypes
  const last = before.pgpu.supportedTypes
  if (inventory.vgpuTypes !== before.inventory.vgpuTypes) return false
  if (!isSameType(pgpu.currentType, before.pgpu.currentType) || types?.length !== last?.length) return false
  if (types !== last && types?.every((type, place) => isSameType(type, last?.[place])) === false) return false
  const [device, lastDevice] = [inventory, before.inventory].map(({ gpus }) =>
    gpus.find(({ address }) => address === pgpu.address),
  )
  return device !== undefined && lastDevice !== undefined && isSameOffer(device, lastDevice)
}

/** Makes the rows of a pGPU; `before`: those of the same pGPU in the host's last report. */
export const learnPgpuRows = async (
  pgpu: Pgpu,
  {
    registry,
    inventory,
    before,
  }: {
    registry: TypeRegistry
    inventory: Inventory
    before: { inventory: Inventory; rows: PgpuRows } | null
  },
): Promise<PgpuRows> => {
  const isKnown =
    before !== null &&
    haveSameWords({ pgpu, inventory }, { pgpu: before.rows.pgpu, inventory: before.inventory })
  const types = isKnown ? before.rows.types : await typeIdsOf(pgpu, { registry, inventory })
  return {
    pgpu,
    types,
    row: pgpuRow(pgpu, types),
    point: historyPoint(pgpu),
    virtualFunctions: functionRows(pgpu, before?.rows ?? null),
  }
}
