import 'server-only'

type Slot = { next: Promise<unknown> | null; last: Promise<unknown> }

/**
 * Like `shareNext`, for questions of the same kind that differ by a key: those who ask the same at once share one answer,
 * which is begun after each of them asked. Of one key at most one is under way. A key is forgotten when its last answer has
 * come. Next's bundles each load their own copies of modules; globalThis is what they share, under `name`.
 */
export const shareByKey = (
  name: string,
): (<Answer>(owner: object, key: string, ask: () => Promise<Answer>) => Promise<Answer>) => {
  const symbol = Symbol.for(`sliceboard.shared.${name}`)
  const holder = globalThis as { [symbol]?: WeakMap<object, Map<string, Slot>> }

  const slotsOf = (owner: object): Map<string, Slot> => {
    holder[symbol] ??= new WeakMap()
    const known = holder[symbol].get(owner) ?? new Map<string, Slot>()
    holder[symbol].set(owner, known)
    return known
  }

  return <Answer>(owner: object, key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const slots = slotsOf(owner)
    const slot: Slot = slots.get(key) ?? { next: null, last: Promise.resolve() }
    slots.set(key, slot)
    // Equal name and key mean an equal type of answer.
    if (slot.next !== null) return slot.next as Promise<Answer>
    const before = slot.last
    const mine = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => before)
      .then(() => {
        slot.next = null
        return ask()
      })
    const settled = mine.then(
      () => undefined,
      () => undefined,
    )
    slot.next = mine
    slot.last = settled
    void settled.then(() => {
      if (slot.last === settled) slots.delete(key)
    })
    return mine
  }
}
