import { parseAsBoolean, parseAsString } from 'nuqs'

/** A scenario that is not saved yet. */
export const NEW_SCENARIO = 'new'

/** What the page of scenarios keeps in its address. */
export const scenarioSearchParams = {
  /** Ids of the scenarios that are compared; `new`: one that is not saved yet. */
  a: parseAsString,
  b: parseAsString,
  /** Unsaved steps of each. */
  steps: parseAsString,
  stepsB: parseAsString,
  /** Rows without a difference are listed too. */
  all: parseAsBoolean.withDefault(false),
}
