import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** So many reports in a second make what every collection copies again worth more than the memory that spares it. */
const BUSY_PER_SECOND = 200
const COUNTED_MS = 1000
/** 1: it stays as it is. From what `npm start` gives it at first, the other is all that it may take. */
const CALM_FACTOR = 1
const BUSY_FACTOR = 4
/** With which the process was started (`--min-semi-space-size`): one that was given less is not to be held there. */
const LEAST_BYTES = 16 * 2 ** 20

export type YoungGeneration = {
  /** To be called for each report that comes. */
  reportCame: () => void
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0

/**
 * Lets V8's young generation grow only while many reports come. Without this it doubles, up to what the process was given
 * (`--max-semi-space-size`), as soon as much outlives its collections, and that is after every start: the fleet is read then. The
 * factor of growth is the one thing of the young generation that V8 looks at again while it runs.
 */
export const createYoungGeneration = ({
  setFlags = setFlagsFromString,
  bytes = youngBytes,
  nowMs = () => performance.now(),
}: {
  setFlags?: (flags: string) => void
  bytes?: () => number
  nowMs?: () => number
} = {}): YoungGeneration => {
  if (bytes() < LEAST_BYTES) return { reportCame: () => undefined }
  let isGrowing: boolean | null = null
  const grow = (isBusy: boolean): void => {
    if (isGrowing === isBusy) return
    isGrowing = isBusy
    setFlags(`--semi-space-growth-factor=${isBusy ? BUSY_FACTOR : CALM_FACTOR}`)
  }
  grow(false)
  let sinceMs = nowMs()
  let came = 0
  return {
    reportCame: () => {
      came += 1
      const passedMs = nowMs() - sinceMs
      if (passedMs < COUNTED_MS) return
      grow((came * 1000) / passedMs >= BUSY_PER_SECOND)
      sinceMs += passedMs
      came = 0
    },
  }
}
