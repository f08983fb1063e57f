/** An edge of a flow network; `Infinity` is no bound. */
export type FlowEdge = { from: string; to: string; capacity: number }

/**
 * The largest flow from `source` to `sink` by shortest augmenting paths. Whole capacities give a whole flow. Networks of one
 * host have some hundred edges, so plain search is enough.
 */
export const maxFlow = (edges: readonly FlowEdge[]): number => {
  const rest = new Map<string, Map<string, number>>()
  const add = (from: string, to: string, capacity: number): void => {
    const out = rest.get(from) ?? new Map<string, number>()
    rest.set(from, out)
    out.set(to, (out.get(to) ?? 0) + capacity)
  }
  for (const { from, to, capacity } of edges) {
    add(from, to, capacity)
    add(to, from, 0)
  }
  let flow = 0
  for (;;) {
    const path = findPath(rest)
    if (path === null) return flow
    const amount = Math.min(...path.map(([from, to]) => rest.get(from)?.get(to) ?? 0))
    if (amount === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
    for (const [from, to] of path) {
      add(from, to, -amount)
      add(to, from, amount)
    }
    flow += amount
  }
}

const findPath = (rest: ReadonlyMap<string, ReadonlyMap<string, number>>): [string, string][] | null => {
  const cameFrom = new Map<string, string>()
  const queue = ['source']
  for (const node of queue) {
    if (node === 'sink') break
    for (const [next, capacity] of rest.get(node) ?? [])
      if (capacity > 0 && next !== 'source' && !cameFrom.has(next)) {
        cameFrom.set(next, node)
        queue.push(next)
      }
  }
  if (!cameFrom.has('sink')) return null
  const path: [string, string][] = []
  for (let node = 'sink'; node !== 'source'; node = cameFrom.get(node) ?? 'source')
    path.push([cameFrom.get(node) ?? 'source', node])
  return path
}
