import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'

/** The result of a scenario in an empty cloud; `change` has what a test is about. */
export const buildResult = (change: Partial<ScenarioResult> = {}): ScenarioResult => ({
  ...{ cloud: 'paris-prod', today: null, gap: null, outcomes: [], types: [], aggregates: [] },
  ...{ aggregateCount: 0, flavors: null, flavorCount: 0, because: null },
  perMonth: { amounts: [], unpricedCards: 0, because: null },
  choices: { types: [], hosts: [], aggregates: [], cards: [] },
  ...change,
})
