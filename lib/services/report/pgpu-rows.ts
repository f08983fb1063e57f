import 'server-only'
import { mostUrgent } from '@/lib/domain/host-findings/severity'
import type { Pgpu, PgpuNumbers } from '@/lib/domain/pgpu/types'
import type { GpuDevice, Inventory } from '@/lib/schemas/agent/inventory'
import type { Row, Rows } from './host-rows'
import type { Cell } from './pg-array'
import { areSameRows, isSameRow } from './same-cells'
import type { TypeRegistry } from './type-registry'
import { pgpuWordings } from './vgpu-type-wording'

type TypeIds = { typeId: number | null; typeSetId: number | null }

/** The rows of one pGPU, and what they were made of. */
export type PgpuRows = {
  pgpu: Pgpu
  types: TypeIds
  /** How many more of each supported type could be made. */
  available: Cell
  row: Row
  point: Row
  virtualFunctions: Rows
}

const unknownReason = ({ capacity, used, spare, orphan, returning, creatable }: PgpuNumbers): string | null =>
  capacity.reason ?? used.reason ?? spare.reason ?? orphan.reason ?? returning.reason ?? creatable.reason

/** Written out, as a point is: a spread leaves a list room for twice its cells, and all that is kept is copied by the collector. */
const pgpuRow = (pgpu: Pgpu, { types, available }: Pick<PgpuRows, 'types' | 'available'>): Row => {
  const { numbers, findings } = pgpu
  const { capacity, used, spare, orphan, returning, creatable } = numbers
  const finding = findings.length === 0 ? null : mostUrgent(findings)
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
    types.typeId,
    types.typeSetId,
    available,
    capacity.value,
    used.value,
    spare.value,
    orphan.value,
    returning.value,
    creatable.value,
    finding?.code ?? null,
    finding?.severity ?? null,
    finding?.sentence ?? null,
    unknownReason(numbers),
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

type VirtualFunction = Pgpu['virtualFunctions'][number]

const functionRow = (pgpuAddress: string, { address, driver, currentType }: VirtualFunction): Row => [
  pgpuAddress,
  address,
  driver,
  currentType,
]

/** The rows of last time when nothing of them differs. */
const functionRows = ({ address, virtualFunctions }: Pgpu, before: PgpuRows | null): Rows => {
  const last = before?.virtualFunctions
  const rows = virtualFunctions.map((vf) => functionRow(address, vf))
  return last !== undefined && areSameRows(rows, last) ? last : rows
}

/** The list of last time where the types are those of last time, which they nearly always are. */
const availableOf = ({ supportedTypes }: Pgpu, before: PgpuRows | null): Cell => {
  if (before !== null && supportedTypes === before.pgpu.supportedTypes) return before.available
  return supportedTypes?.map(({ creatable }) => creatable) ?? null
}

const rowsOf = (pgpu: Pgpu, { types, before }: { types: TypeIds; before: PgpuRows | null }): PgpuRows => {
  const available = availableOf(pgpu, before)
  const point = historyPoint(pgpu)
  return {
    pgpu,
    types,
    available,
    row: pgpuRow(pgpu, { types, available }),
    point: before !== null && isSameRow(point, before.point) ? before.point : point,
    virtualFunctions: functionRows(pgpu, before),
  }
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

type InReport = { pgpu: Pgpu; inventory: Inventory }

const deviceOf = ({ pgpu: { address }, inventory: { gpus } }: InReport): GpuDevice | undefined =>
  gpus.find((gpu) => gpu.address === address)

const haveSameOffer = (now: InReport, before: InReport): boolean => {
  if (now.inventory.gpus === before.inventory.gpus) return true
  const device = deviceOf(now)
  const last = deviceOf(before)
  return device !== undefined && last !== undefined && isSameOffer(device, last)
}

const areSameTypes = (types: Pgpu['supportedTypes'], last: Pgpu['supportedTypes']): boolean => {
  if (types === last) return true
  if (types === null || last === null || types.length !== last.length) return false
  return types.every((type, place) => isSameType(type, last[place]))
}

/** Whether the types of two readings of a pGPU go by the same words: then they have the same ids. */
const haveSameWords = (now: InReport, before: InReport): boolean =>
  now.inventory.vgpuTypes === before.inventory.vgpuTypes &&
  isSameType(now.pgpu.currentType, before.pgpu.currentType) &&
  areSameTypes(now.pgpu.supportedTypes, before.pgpu.supportedTypes) &&
  haveSameOffer(now, before)

/** The rows of a pGPU in the host's last report, and that report. */
export type PgpuBefore = { inventory: Inventory; rows: PgpuRows }

/** The rows of a pGPU with the ids of last time; null: its types go by other words. */
export const nextPgpuRows = (
  pgpu: Pgpu,
  { inventory, before: { inventory: last, rows } }: { inventory: Inventory; before: PgpuBefore },
): PgpuRows | null => {
  const isKnown = haveSameWords({ pgpu, inventory }, { pgpu: rows.pgpu, inventory: last })
  return isKnown ? rowsOf(pgpu, { types: rows.types, before: rows }) : null
}

/** Makes the rows of a pGPU and asks for the ids of its types; `before`: its rows in the host's last report. */
export const learnPgpuRows = async (
  pgpu: Pgpu,
  {
    registry,
    inventory,
    before,
  }: { registry: TypeRegistry; inventory: Inventory; before: PgpuBefore | null },
): Promise<PgpuRows> => {
  const next = before && nextPgpuRows(pgpu, { inventory, before })
  if (next !== null) return next
  const types = await typeIdsOf(pgpu, { registry, inventory })
  return rowsOf(pgpu, { types, before: before?.rows ?? null })
}
