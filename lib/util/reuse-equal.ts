const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two JSON values are equal, independent of the order of their keys. */
const isEqualJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqualJson(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqualJson(a[key], b[key]))
  )
}

const ITEMS_PER_STEP = 100

/**
 * A JSON value in which equal items of a list are the objects of the previous value, so that `===` shows what has
 * changed. Equal values are the previous value itself. In steps: between two of them other work can run.
 */
export function* reuseEqual<Value>(before: Value, now: Value): Generator<void, Value> {
  if (!Array.isArray(before) || !Array.isArray(now)) return isEqualJson(before, now) ? before : now
  const items: unknown[] = []
  let isSame = before.length === now.length
  for (const [index, item] of now.entries()) {
    const reused = isEqualJson(before[index], item) ? before[index] : item
    isSame &&= reused === before[index]
    items.push(reused)
    if (index % ITEMS_PER_STEP === 0) yield
  }
  // The items are those of `now` or equal to them.
  return isSame ? before : (items as Value)
}
