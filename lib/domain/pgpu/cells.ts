import type { PgpuFacts } from './pgpu-facts'
import { CELL_KINDS, type Cell, type CellKind, type PgpuNumbers } from './types'
import type { Vgpu } from './vgpus'

const emptyCell = (kind: CellKind, address: string | null): Cell => ({
  kind,
  mdevUuid: null,
  address,
  typeId: null,
  typeName: null,
  occupant: null,
})

/** No card holds more vGPUs. Limits the cells of a parent that offers thousands. */
const MAX_CELLS = 256

/** Most cells have no address. */
const EMPTY = {
  free: emptyCell('free', null),
  locked: emptyCell('locked', null),
  unknown: emptyCell('unknown', null),
} as const

/** The unused functions in passthrough. */
const openOf = (units: readonly string[], vgpus: readonly Vgpu[]): string[] => {
  const held = new Set(vgpus.map((vgpu) => vgpu.address))
  return units.filter((address) => !held.has(address))
}

export const toCell = ({ state, mdevUuid, address, typeId, type, occupant }: Vgpu): Cell => ({
  kind: state,
  mdevUuid,
  address,
  typeId,
  typeName: type?.shortName ?? null,
  occupant,
})

const compareText = (a: string | null, b: string | null): number =>
  a === b ? 0 : (a ?? '').localeCompare(b ?? '')

const compareCells = (a: Cell, b: Cell): number =>
  CELL_KINDS.indexOf(a.kind) - CELL_KINDS.indexOf(b.kind) ||
  compareText(a.address, b.address) ||
  compareText(a.mdevUuid, b.mdevUuid)

/**
 * The places of a pGPU, one per vGPU of its capacity, in drawing order; more when more vGPUs exist than fit by the driver's
 * word, none when the capacity is unknown. Places that neither hold a vGPU nor can be filled now are `locked`, or `unknown`
 * when the host does not say enough. At most 256, unless more vGPUs exist.
 */
export const pgpuCells = ({ vgpus, units }: PgpuFacts, numbers: PgpuNumbers): Cell[] => {
  const capacity = numbers.capacity.value
  if (capacity === null) return []
  const cells = vgpus.map(toCell)
  const free = Math.min(numbers.creatable.value ?? 0, Math.max(0, capacity - vgpus.length))
  const isTold = numbers.creatable.value !== null && numbers.used.value !== null
  const openUnits = units.length === 0 ? units : openOf(units, vgpus)
  for (let place = 0; place < Math.min(capacity, MAX_CELLS) - vgpus.length; place += 1) {
    const kind = place < free ? 'free' : isTold ? 'locked' : 'unknown'
    const address = openUnits[place]
    cells.push(address === undefined ? EMPTY[kind] : emptyCell(kind, address))
  }
  return cells.toSorted(compareCells)
}
