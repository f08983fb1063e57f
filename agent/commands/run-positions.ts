import { comparePositions, type Position } from '@/lib/schemas/agent/report'

/** Assigns the positions of one start, each once. */
export type Positions = {
  next: () => Position
  /** Continues with a higher boot number, from sequence 1. */
  restart: (boot: number) => void
  boot: () => number
  /** True when the position is beyond all that this start has assigned: another agent made it. */
  isForeign: (position: Position) => boolean
}

export const createPositions = (firstBoot: number): Positions => {
  let last: Position = { boot: firstBoot, sequence: 0 }
  return {
    next: () => {
      last = { boot: last.boot, sequence: last.sequence + 1 }
      return last
    },
    restart: (boot) => {
      last = { boot, sequence: 0 }
    },
    boot: () => last.boot,
    isForeign: (position) => comparePositions(position, last) > 0,
  }
}
