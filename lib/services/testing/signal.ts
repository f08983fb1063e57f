/** Something that is waited for, and what says that it is there. Node 20 has no Promise.withResolvers. */
export type Signal = { give: () => void; given: Promise<void> }

/** By which a test holds a transaction, or an answer, open until it has seen what happens meanwhile. */
export const signal = (): Signal => {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { give: () => give(), given }
}
