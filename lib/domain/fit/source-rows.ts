import type { Known } from '@/lib/domain/pgpu/types'

export type SourceColumn = 'hardware' | 'novaConf' | 'placement' | 'libvirt'

/** The value of one source in one row. Null value: unknown, and `reason` has the reason. */
export type SourceCell = { value: string | number; reason: null } | { value: null; reason: string }

/** One property of a pGPU in the words of the four sources; a cell is null where that source has no say. */
export type SourceRow = {
  key:
    | 'type'
    | 'class'
    | 'total'
    | 'used'
    | 'free'
    | 'spare'
    | 'orphan'
    | 'returning'
    | 'providers'
    | 'traits'
  label: string
  hardware: SourceCell | null
  novaConf: SourceCell | null
  placement: SourceCell | null
  libvirt: SourceCell | null
  /** The cell that is the odd one out, and why; null when the sources agree or can't be compared. */
  disagree: { column: SourceColumn; because: string } | null
}

export const knownCell = (value: string | number): SourceCell => ({ value, reason: null })
export const unsaid = (reason: string): SourceCell => ({ value: null, reason })

export const cellOf = (number: Known): SourceCell =>
  number.value === null ? unsaid(number.reason) : knownCell(number.value)

/** A row in which no source has a say yet. */
export const row = (
  key: SourceRow['key'],
  label: string,
  cells: Partial<Pick<SourceRow, SourceColumn | 'disagree'>>,
): SourceRow => ({
  key,
  label,
  hardware: null,
  novaConf: null,
  placement: null,
  libvirt: null,
  disagree: null,
  ...cells,
})
