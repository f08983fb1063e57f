/** Runs the steps of long work at once. */
export const allSteps = <Result>(steps: Iterator<void, Result>): Result => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
