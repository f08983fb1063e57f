import { comparePositions, type Position } from '@/lib/schemas/agent/report'

/** Hands out the positions of one start, each once. */
export type Positions = {
  next: () => Position
  /** Goes on with a higher boot number, from sequence 1. */
  restart: (boot: number) => void
  boot: () => number
  /** True when the position is beyond all that this start has handed out: somebody else made it. */
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
