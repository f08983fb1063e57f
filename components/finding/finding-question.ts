import type { FindingQuestion } from '@/lib/api/finding-keys'

type Chosen = {
  q: string
  severity: readonly string[]
  state: readonly string[]
  host: readonly string[]
  code: readonly string[]
  sourceToCorrect: readonly string[]
}

/** No state means open. */
export const chosenStates = <State extends string>(state: readonly State[]): readonly (State | 'open')[] =>
  state.length === 0 ? ['open'] : state

export const findingQuestion = (cloud: string | null, chosen: Chosen): FindingQuestion => ({
  cloud,
  q: chosen.q.trim(),
  severity: chosen.severity.join(),
  state: chosenStates(chosen.state).join(),
  host: chosen.host.join(),
  code: chosen.code.join(),
  sourceToCorrect: chosen.sourceToCorrect.join(),
  sort: 'kind',
})
