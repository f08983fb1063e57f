type Texts = { calls: readonly string[]; command: string; undoCommand: string }

const charactersOf = ({ calls, command, undoCommand }: Texts): number =>
  calls.reduce((sum, call) => sum + call.length, command.length + undoCommand.length)

/** The first steps whose calls and commands have at most so many characters together; at least one. */
export const firstSteps = <Step extends Texts>(steps: readonly Step[], maxCharacters: number): Step[] => {
  let characters = 0
  const end = steps.findIndex((step) => {
    characters += charactersOf(step)
    return characters > maxCharacters
  })
  return end === -1 ? [...steps] : steps.slice(0, Math.max(1, end))
}
