import { randomBytes } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import { writeDurable } from '../spool/durable-file'
import { isMissing } from './credential-file'

/**
 * A random word that this agent sends until it is enrolled, also after a restart. An admin's approval is for the agent that
 * sent it, so it is as secret as the join token.
 */
export const createRequester = (stateDirectory: string) => {
  const file = path.join(stateDirectory, 'enrollment-requester')
  let known: string | null = null
  return {
    read: async (): Promise<string> => {
      known ??= await readStored(file)
      if (known !== null) return known
      known = randomBytes(32).toString('base64url')
      await writeDurable({ file, data: `${known}\n` })
      return known
    },
    discard: async (): Promise<void> => {
      known = null
      await unlink(file).catch(ignoreMissing)
    },
  }
}

/** Why the host is not enrolled, for the install script to print. */
export const createEnrollmentStatus = (stateDirectory: string) => {
  const file = path.join(stateDirectory, 'enrollment-status')
  return {
    write: (sentence: string): Promise<void> => writeDurable({ file, data: `${sentence}\n` }),
    clear: async (): Promise<void> => {
      await unlink(file).catch(ignoreMissing)
    },
  }
}

const ignoreMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error
}

const readStored = async (file: string): Promise<string | null> => {
  try {
    const text = (await readFile(file, 'utf8')).trim()
    return /^[A-Za-z0-9_-]{22,64}$/.test(text) ? text : null
  } catch (error) {
    ignoreMissing(error)
    return null
  }
}
