import { setImmediate as nextTurn } from 'node:timers/promises'

/** Requests and health checks wait for no longer than one slice and one step. */
const SLICE_MS = 15

/** Runs the steps of long work in slices, so that the process answers in between. Rejects after the slice in which `signal` aborts. */
export const inSlices = async <Result>(
  steps: Iterator<void, Result>,
  signal?: AbortSignal,
): Promise<Result> => {
  for (;;) {
    signal?.throwIfAborted()
    const endMs = performance.now() + SLICE_MS
    while (performance.now() < endMs) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
    await nextTurn()
  }
}
