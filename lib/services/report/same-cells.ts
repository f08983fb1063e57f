import type { Row } from './host-rows'
import type { Cell } from './pg-array'

const isSame = (a: Cell | undefined, b: Cell | undefined): boolean => {
  if (a === b) return true
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  return a.every((value, place) => value === b[place])
}

/** Whether the first cells of two rows hold the same values. */
export const areSameCells = (a: Row, b: Row, cells: number): boolean => {
  for (let place = 0; place < cells; place += 1) if (!isSame(a[place], b[place])) return false
  return true
}

/** Whether two rows hold the same values. Rows of an unchanged part are mostly one and the same object. */
export const isSameRow = (a: Row, b: Row): boolean =>
  a === b || (a.length === b.length && areSameCells(a, b, a.length))

export const areSameRows = (a: readonly Row[], b: readonly Row[]): boolean =>
  a === b || (a.length === b.length && a.every((row, place) => isSameRow(row, b[place] ?? [])))
