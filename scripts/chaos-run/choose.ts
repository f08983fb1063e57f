import { SCENARIOS, type Scenario } from './scenarios'

export type Chosen = { scenarios: readonly Scenario[]; isLong: boolean }

const onlyChaos = (scenario: Scenario): Scenario => ({
  ...scenario,
  runs: scenario.runs.filter(({ project }) => project === 'chaos'),
})

/**
 * What `npm run test:chaos -- [--long] [--rest] [R6 R7 …]` selects; no number is all of them, `--rest` leaves out what the
 * suites of `npm test` run anyhow. Throws a sentence for what does not exist.
 */
export const chooseScenarios = (args: readonly string[]): Chosen => {
  const flags = args.filter((arg) => arg.startsWith('--'))
  const ids = args.filter((arg) => !arg.startsWith('--')).map((arg) => arg.toUpperCase())
  for (const flag of flags)
    if (flag !== '--long' && flag !== '--rest')
      throw new Error(`${flag} is not known: there are --long and --rest.`)
  for (const id of ids)
    if (!SCENARIOS.some((scenario) => scenario.id === id))
      throw new Error(`${id} is not known: there are ${SCENARIOS.map((known) => known.id).join(', ')}.`)
  const chosen = SCENARIOS.filter(({ id }) => ids.length === 0 || ids.includes(id))
  const left = flags.includes('--rest') ? chosen.map(onlyChaos) : chosen
  return { scenarios: left.filter(({ runs }) => runs.length > 0), isLong: flags.includes('--long') }
}
