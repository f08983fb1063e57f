import { typeFactsById } from './current-type'
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

const toCell = (facts: PgpuFacts, vgpu: Vgpu): Cell => ({
  kind: vgpu.state,
  mdevUuid: vgpu.mdevUuid,
  address: vgpu.address,
  typeId: vgpu.typeId,
  typeName: vgpu.typeId === null ? null : typeFactsById(facts, vgpu.typeId).shortName,
  occupant: vgpu.occupant,
})

const compareCells = (a: Cell, b: Cell): number =>
  CELL_KINDS.indexOf(a.kind) - CELL_KINDS.indexOf(b.kind) ||
  (a.address ?? '').localeCompare(b.address ?? '') ||
  (a.mdevUuid ?? '').localeCompare(b.mdevUuid ?? '')

/**
 * The places of a pGPU, one per vGPU of its capacity, in drawing order; more when more vGPUs exist than fit by the driver's
 * word, none when the capacity is unknown. Places that neither hold a vGPU nor can be filled now are `locked`, or `unknown`
 * when the host does not say enough.
 */
export const pgpuCells = (facts: PgpuFacts, numbers: PgpuNumbers): Cell[] => {
  const capacity = numbers.capacity.value
  if (capacity === null) return []
  const made = facts.vgpus.map((vgpu) => toCell(facts, vgpu))
  const free = Math.min(numbers.creatable.value ?? 0, Math.max(0, capacity - made.length))
  const rest = Math.max(0, capacity - made.length - free)
  const isTold = numbers.creatable.value !== null && numbers.used.value !== null
  const held = new Set(facts.vgpus.map((vgpu) => vgpu.address))
  const openUnits = facts.units.filter((address) => !held.has(address))
  const places = [
    ...Array.from({ length: free }, () => 'free' as const),
    ...Array.from({ length: rest }, () => (isTold ? ('locked' as const) : ('unknown' as const))),
  ].map((kind, place) => emptyCell(kind, openUnits[place] ?? null))
  return [...made, ...places].toSorted(compareCells)
}
