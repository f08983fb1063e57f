import 'server-only'

/**
 * What was last read by key, as long as its owner exists. Next's bundles each load their own copies of modules; globalThis is
 * what they share, under `name`.
 */
export const lastByOwner = <Value>(name: string): ((owner: object) => Map<string, Value>) => {
  const symbol = Symbol.for(`sliceboard.last.${name}`)
  const holder = globalThis as { [symbol]?: WeakMap<object, Map<string, Value>> }
  return (owner) => {
    holder[symbol] ??= new WeakMap()
    const last = holder[symbol].get(owner) ?? new Map<string, Value>()
    holder[symbol].set(owner, last)
    return last
  }
}
