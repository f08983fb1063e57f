/** When the last use of each credential was written: not with every report, for nobody needs it by the second. */
export type CredentialUses = {
  /** Those of the credentials whose last use is to be written. */
  due: (credentialIds: readonly number[], at: Date) => number[]
  wrote: (credentialIds: readonly number[], at: Date) => void
}

const EVERY_MS = 60_000

export const createCredentialUses = (): CredentialUses => {
  const writtenMs = new Map<number, number>()
  return {
    due: (credentialIds, at) =>
      [...new Set(credentialIds)].filter((id) => at.getTime() - (writtenMs.get(id) ?? -Infinity) >= EVERY_MS),
    wrote: (credentialIds, at) => {
      for (const id of credentialIds) writtenMs.set(id, at.getTime())
    },
  }
}
