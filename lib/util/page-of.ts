/**
 * One page of a sorted list. A cursor has the index of the last row and its key. The key finds the row where the list has
 * changed since, and the index is used where the row is gone.
 */
export const pageOf = <Row>(
  rows: readonly Row[],
  { limit, cursor, keyOf }: { limit: number; cursor: string | null; keyOf: (row: Row) => string | number },
): { rows: Row[]; total: number; next: string | null } => {
  const start = cursor === null ? 0 : startAfter(rows, cursor, keyOf)
  const end = Math.min(rows.length, start + limit)
  const last = rows[end - 1]
  return {
    rows: rows.slice(start, end),
    total: rows.length,
    next: last === undefined || end === rows.length ? null : `${end - 1}.${keyOf(last)}`,
  }
}

const startAfter = <Row>(
  rows: readonly Row[],
  cursor: string,
  keyOf: (row: Row) => string | number,
): number => {
  const dot = cursor.indexOf('.')
  const key = cursor.slice(dot + 1)
  const index = Number.parseInt(cursor.slice(0, Math.max(0, dot)), 10)
  const isKey = (row: Row | undefined): boolean => row !== undefined && String(keyOf(row)) === key
  if (isKey(rows[index])) return index + 1
  const found = rows.findIndex(isKey)
  if (found !== -1) return found + 1
  return Number.isInteger(index) && index >= 0 ? Math.min(index, rows.length) : 0
}
