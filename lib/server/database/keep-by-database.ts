import 'server-only'
import type { Database } from './database'

/**
 * What is made once per database and key and kept as long as the database. Next's bundles each load their own copies of
 * modules; globalThis is what they share, so under one `name` it is held once.
 */
export const keepByDatabase = <Value>(
  name: string,
): ((of: { database: Database; key: string }, make: () => Value) => Value) => {
  const symbol = Symbol.for(`sliceboard.${name}`)
  const holder = globalThis as { [symbol]?: WeakMap<Database, Map<string, Value>> }
  return ({ database, key }, make) => {
    holder[symbol] ??= new WeakMap()
    const ofDatabase = holder[symbol].get(database) ?? new Map<string, Value>()
    holder[symbol].set(database, ofDatabase)
    const known = ofDatabase.get(key)
    if (known !== undefined) return known
    const made = make()
    ofDatabase.set(key, made)
    return made
  }
}
