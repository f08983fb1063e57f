/** A function that computes its value once for each object. The value is forgotten with the object. */
export const oncePer = <Key extends object, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const held = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const known = held.get(key)
    if (known !== undefined) return known.value
    const value = compute(key)
    held.set(key, { value })
    return value
  }
}
