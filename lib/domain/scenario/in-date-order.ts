/** The steps in the order of their days, those without a day first; steps of one day keep their order. */
export const inDateOrder = <Step extends { date: string | null }>(steps: readonly Step[]): Step[] =>
  steps.toSorted((a, b) => {
    const [one, other] = [a.date ?? '', b.date ?? '']
    return one < other ? -1 : one > other ? 1 : 0
  })
