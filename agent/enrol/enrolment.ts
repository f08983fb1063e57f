import { type AgentLog, reasonOf } from '../commands/run-log'
import type { ConsoleClient } from '../http/console-client'
import type { Outcome } from '../http/outcome'
import { type Credential, saveCredential } from './credential-file'
import type { JoinTokenSource } from './join-token'
import { createEnrollmentStatus, createRequester } from './requester'

export type EnrolmentOptions = {
  stateDirectory: string
  stored: Credential | null
  tokens: JoinTokenSource
  client: ConsoleClient
  log: AgentLog
}

/** The agent's right to report: a credential, or a join token to get one with. */
export type Enrolment = {
  credential: () => Credential | null
  /** The console does not take the credential any more. True when a join token is there to enrol again with. */
  reject: () => Promise<boolean>
  /** The console has taken the credential: the token that the install script left has done its work. */
  confirm: () => Promise<void>
  /** Keeps the key of commands, unless one is known: only an enrolment brings another. */
  learnCommandKey: (key: string) => Promise<void>
  enrol: (request: { hostName: string; signal: AbortSignal }) => Promise<Outcome<unknown>>
}

export const createEnrolment = ({
  stateDirectory,
  stored,
  tokens,
  client,
  log,
}: EnrolmentOptions): Enrolment => {
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
      log.warn(`The credential could not be stored, so the next start must enrol again: ${reasonOf(error)}.`),
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
    enrol: async ({ hostName, signal }) => {
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
