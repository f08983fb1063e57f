/** Equal JSON values become one object, so that their copies can be released. */
export type Share = <Value>(value: Value) => Value

/** Returns the first of the equal values that it was called with. */
export const createShare = (): Share => {
  const byText = new Map<string, unknown>()
  return <Value>(value: Value): Value => {
    const text = JSON.stringify(value)
    const known = byText.get(text)
    if (known === undefined) byText.set(text, value)
    // Values with equal JSON have the same type.
    return known === undefined ? value : (known as Value)
  }
}
