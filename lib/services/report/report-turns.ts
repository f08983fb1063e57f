/**
 * So many share a turn. Others that are served by this process wait some milliseconds for it, and so does the database: a turn's
 * reports are a group's worth, which is written while the next turn is read.
 */
const MOST_PER_TURN = 24

/**
 * Hands over what came at once together, in the order in which it came. Each step of a report's way is then taken for all of
 * them before the next step is: a step's code stays in the processor's caches, where one report after the other would fetch the
 * whole way anew each time. A fifth of a report's CPU time.
 */
export const createReportTurns = <Item>({
  take,
  mostPerTurn = MOST_PER_TURN,
}: {
  /** Must not throw. */
  take: (items: readonly Item[]) => void
  mostPerTurn?: number
}): ((item: Item) => void) => {
  let waiting: Item[] = []
  const go = (): void => {
    const now = waiting.slice(0, mostPerTurn)
    waiting = waiting.slice(mostPerTurn)
    if (waiting.length > 0) setImmediate(go)
    take(now)
  }
  return (item) => {
    waiting.push(item)
    if (waiting.length === 1) setImmediate(go)
  }
}
