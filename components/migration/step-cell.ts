/** A place of the matrix; -1 is the row or column of the headers. */
export type CellPlace = { row: number; column: number }

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/**
 * Where a key leads: arrows go from cell to cell and on to the headers, Home and End along the row, with Ctrl to the corners,
 * page keys up and down. The empty corner is passed over. Null: the key moves nothing.
 */
export const stepCell = (
  { row, column }: CellPlace,
  { key, isFar, count }: { key: string; isFar: boolean; count: number },
): CellPlace | null => {
  const last = count - 1
  const moves: Record<string, CellPlace> = {
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    PageDown: { row: row + 10, column },
    PageUp: { row: Math.max(0, row - 10), column },
    Home: isFar ? { row: 0, column: 0 } : { row, column: 0 },
    End: isFar ? { row: last, column: last } : { row, column: last },
  }
  const next = moves[key]
  if (next === undefined) return null
  const place = { row: clamp(next.row, -1, last), column: clamp(next.column, -1, last) }
  return place.row === -1 && place.column === -1 ? { row, column } : place
}
