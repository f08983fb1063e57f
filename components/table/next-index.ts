import { SHORTCUT_KEYS } from '@/components/shell/shortcut-keys'

const { nextRow, previousRow, nextRows, previousRows, firstRow, lastRow } = SHORTCUT_KEYS

/** Index of the row that a key moves to. Null: the key moves nothing. */
export const nextIndex = (
  key: string,
  { index, count, page }: { index: number; count: number; page: number },
): number | null => {
  const moves: Record<string, number> = {
    [nextRow[0]]: index + 1,
    [previousRow[0]]: index - 1,
    [nextRows[0]]: index + page,
    [previousRows[0]]: index - page,
    [firstRow[0]]: 0,
    [lastRow[0]]: count - 1,
  }
  const next = moves[key]
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next))
}
