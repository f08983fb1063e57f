import type { FuzzTarget } from './target'

const SHARED: readonly object[] = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
  Map.prototype,
  Object,
  Array,
]
const keysOf = (): string => SHARED.map((one) => Reflect.ownKeys(one).length).join()
const KEYS = keysOf()

const MAX_VALUES = 5000

/** Whether a plain value that was read got its own prototype, as `target['__proto__'] = value` gives one. */
const hasOwnPrototype = (value: unknown): boolean => {
  const open: unknown[] = [value]
  for (let seen = 0; open.length > 0 && seen < MAX_VALUES; seen += 1) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    const prototype: unknown = Object.getPrototypeOf(one)
    // Classes have their own constructor; an object that data was put into as a prototype has none.
    if (prototype !== null && !Object.hasOwn(prototype as object, 'constructor')) return true
    if (one instanceof Map) open.push(...one.values())
    else if (!ArrayBuffer.isView(one)) open.push(...Object.values(one))
  }
  return false
}

/** What is wrong with how a target reads a text; null: nothing. */
export const checkInput = async (target: FuzzTarget, text: string): Promise<string | null> => {
  let fault: string | null = null
  try {
    if (hasOwnPrototype(await target.read(text))) fault = 'prototype of what was read'
  } catch (error) {
    if (!target.isRefusal(error)) {
      const [first, second] = (error instanceof Error ? (error.stack ?? error.message) : String(error)).split(
        '\n',
      )
      fault = `${first ?? ''} ${second?.trim() ?? ''}`.slice(0, 300)
    }
  }
  return keysOf() === KEYS ? fault : 'a shared prototype was changed'
}
