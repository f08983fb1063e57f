const isLong = process.env.SLICEBOARD_CHAOS === 'long'

/** How often a scenario does what it does: SLICEBOARD_CHAOS=long is for a run by hand, SLICEBOARD_CHAOS_TIMES any number. */
export const chaosTimes = ({ short, long }: { short: number; long: number }): number =>
  Number(process.env.SLICEBOARD_CHAOS_TIMES ?? (isLong ? long : short))

/** What was done and how often, for the reader of the run. */
export const printFacts = (scenario: string, facts: Record<string, unknown>): void => {
  process.stdout.write(`${scenario} ${JSON.stringify(facts)}\n`)
}
