import { FilterChip } from './toolbar'

/** Chips of which one at most is on, each with the rows that it leaves. */
export const StateChips = <State extends string>({
  chosen,
  states,
  onChoose,
}: {
  chosen: State | null
  states: readonly { state: State; word: string; count: number }[]
  onChoose: (state: State | null) => void
}) => (
  <>
    {states.map(({ state, word, count }) => (
      <FilterChip
        key={state}
        isOn={chosen === state}
        word={word}
        count={count}
        onToggle={() => onChoose(chosen === state ? null : state)}
      />
    ))}
  </>
)
