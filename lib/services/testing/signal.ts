/** The function that resolves a pending result, and that result. Node 20 has no withResolvers. */
export type Signal = { give: () => void; given: Promise<void> }

/** With it a test keeps a transaction, or an answer, open until it has seen what happens in the meantime. */
export const signal = (): Signal => {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { give: () => give(), given }
}
