/** All steps, if they are at most `max`; else those of the first host, which show what is done on each, and those on no host. */
export const planExcerpt = <Step extends { host: string | null }>(
  steps: readonly Step[],
  max: number,
): readonly Step[] => {
  if (steps.length <= max) return steps
  const first = steps.find(({ host }) => host !== null)?.host ?? null
  return steps.filter(({ host }) => host === null || host === first).slice(0, max)
}
