/** Index of the row that a key moves to. Null: the key moves nothing. */
export const nextIndex = (
  key: string,
  { index, count, page }: { index: number; count: number; page: number },
): number | null => {
  const moves: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  const next = moves[key]
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next))
}
