/** `new Map(map)` makes a pair of each entry on its way, which costs more than the entries do. */
export const copyMap = <Key, Value>(map: ReadonlyMap<Key, Value>): Map<Key, Value> => {
  const copy = new Map<Key, Value>()
  map.forEach((value, key) => {
    copy.set(key, value)
  })
  return copy
}
