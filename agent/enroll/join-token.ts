import { readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import { isMissing } from './credential-file'

export type JoinTokenSource = {
  /** The current token; null when there is none. Read each time, because an operator may have replaced it. */
  read: () => Promise<string | null>
  /** Removes the file that the install script left; called once the credential works. */
  discard: () => Promise<void>
}

type JoinTokenOptions = { stateDirectory: string; given: string | null; givenFile: string | null }

/** Whether it can go into a request. The console decides whether it is a token. */
export const isTokenText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

/** A token of the command line, else of the named file, else of `join-token` in the state directory. */
export const createJoinTokenSource = ({
  stateDirectory,
  given,
  givenFile,
}: JoinTokenOptions): JoinTokenSource => {
  const ownFile = path.join(stateDirectory, 'join-token')
  return {
    read: async () => {
      if (given !== null) return given
      try {
        const token = (await readFile(givenFile ?? ownFile, 'utf8')).trim()
        return isTokenText(token) ? token : null
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    discard: () =>
      unlink(ownFile).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      }),
  }
}
