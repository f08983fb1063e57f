import { randomBytes } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import { type AgentLog, reasonOf } from '../commands/run-log'
import type { ConsoleClient } from '../http/console-client'
import type { Outcome } from '../http/outcome'
import { writeDurable } from '../spool/durable-file'
import { type Credential, isMissing, saveCredential } from './credential-file'
import type { JoinTokenSource } from './join-token'

/**
 * A random word that this agent sends until it is enrolled, also after a restart. An admin's approval is for the agent that
 * sent it, so it is as secret as the join token.
 */
const createRequester = (stateDirectory: string) => {
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
const createEnrollmentStatus = (stateDirectory: string) => {
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

export type EnrollmentOptions = {
  stateDirectory: string
  stored: Credential | null
  tokens: JoinTokenSource
  client: ConsoleClient
  log: AgentLog
}

/** The agent's right to report: a credential, or a join token to get one with. */
export type Enrollment = {
  credential: () => Credential | null
  /** The console does not take the credential any more. True when a join token is there to enroll again with. */
  reject: () => Promise<boolean>
  /** The console has taken the credential: the token that the install script left has done its work. */
  confirm: () => Promise<void>
  /** Keeps the key of commands, unless one is known: only an enrollment brings another. */
  learnCommandKey: (key: string) => Promise<void>
  enroll: (request: { hostName: string; signal: AbortSignal }) => Promise<Outcome<unknown>>
}

export const createEnrollment = ({
  stateDirectory,
  stored,
  tokens,
  client,
  log,
}: EnrollmentOptions): Enrollment => {
  let present = stored
  /** What the console refused, kept in case the join token is no better. */
  let rejected: Credential | null = null
  let isConfirmed = false
  const requester = createRequester(stateDirectory)
  const status = createEnrollmentStatus(stateDirectory)
  /** A token that the console has refused is not tried against a revoked credential again. */
  let refusedToken: string | null = null

  const accept = async (credential: Credential) => {
    present = credential
    rejected = null
    refusedToken = null
    log.info(`The host is enrolled as ${credential.hostName} in the cloud ${credential.cloud}.`)
    await saveCredential(stateDirectory, credential).catch((error: unknown) =>
      log.warn(
        `The credential could not be stored, so the next start must enroll again: ${reasonOf(error)}.`,
      ),
    )
    await keepAside(async () => {
      await requester.discard()
      await status.clear()
    })
  }

  /** Files that only help: without them the host is enrolled just as well. */
  const keepAside = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) =>
      log.warn(`The state of the enrollment could not be stored: ${reasonOf(error)}.`),
    )

  return {
    credential: () => present,
    reject: async () => {
      isConfirmed = false
      const token = await tokens.read()
      if (token === null || token === refusedToken) return false
      rejected = present
      present = null
      return true
    },
    confirm: async () => {
      if (isConfirmed) return
      isConfirmed = true
      await tokens
        .discard()
        .catch((error: unknown) => log.warn(`The used join token could not be removed: ${reasonOf(error)}.`))
    },
    learnCommandKey: async (commandKey) => {
      if (present === null || present.commandKey !== undefined) return
      const known = { ...present, commandKey }
      // On disk first: a key that the next start forgets could be another one then.
      await saveCredential(stateDirectory, known)
      present = known
    },
    enroll: async ({ hostName, signal }) => {
      const token = await tokens.read()
      if (token === null)
        return {
          kind: 'unauthorized',
          message: 'This host is not enrolled and has no join token; run the install line of the console.',
        }
      const outcome = await client.enroll({ token, hostName, requester: await requester.read(), signal })
      if (outcome.kind === 'ok') {
        const { credential, hostName: boundTo, cloud, commandKey } = outcome.answer
        await accept({ credential, hostName: boundTo, cloud, ...(commandKey ? { commandKey } : {}) })
        return outcome
      }
      await keepAside(() => status.write(outcome.message))
      if (outcome.kind !== 'retry') {
        refusedToken = token
        present = rejected
      }
      return outcome
    },
  }
}
