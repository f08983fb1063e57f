import type { Cell } from './pg-array'

const isSame = (a: Cell | undefined, b: Cell | undefined): boolean => {
  if (a === b) return true
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  return a.every((value, place) => value === b[place])
}

/** Whether two rows hold the same values. Rows of an unchanged part are mostly one and the same object. */
export const isSameRow = (a: readonly Cell[], b: readonly Cell[]): boolean => {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let place = 0; place < a.length; place += 1) if (!isSame(a[place], b[place])) return false
  return true
}
