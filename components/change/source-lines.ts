import { SOURCE_COLUMNS, type SourceColumn, type Sources } from '@/components/gpu-detail/source-words'

/** What a change moves; the pGPU's own page has the rest. */
const ROWS = ['type', 'total', 'used', 'orphan']

export type SourceLine = {
  column: SourceColumn
  /** "nvidia-319, total 4, used 3"; null: the source has no say. */
  text: string | null
  isOdd: boolean
}

/** One line for each source on a pGPU; what a source does not know is a dash. */
export const sourceLines = ({ rows }: Pick<Sources, 'rows'>): SourceLine[] => {
  const chosen = rows.filter(
    ({ key, hardware }) => ROWS.includes(key) && (key !== 'orphan' || hardware?.value !== 0),
  )
  return SOURCE_COLUMNS.map((column) => {
    const parts = chosen.flatMap(({ [column]: cell, key, label }) => {
      if (cell === null) return []
      const value = cell.value ?? '–'
      return [key === 'type' ? `${value}` : `${label.toLowerCase()} ${value}`]
    })
    return {
      column,
      text: parts.length === 0 ? null : parts.join(', '),
      isOdd: chosen.some(({ disagree }) => disagree?.column === column),
    }
  })
}
