import 'server-only'
import type { Query } from '../database/database'
import type { Actor } from '../service-context'
import { AgentError } from './agent-error'
import { isSecretOf, readCredential } from './secrets'

type AgentActor = Extract<Actor, { kind: 'agent' }>
type Known = { secretHash: string; actor: AgentActor; untilMs: number }

export type CredentialStore = {
  /** The actor that a credential stands for. `unauthorized` for anything else. */
  authenticate: (text: string) => Promise<AgentActor>
  /** The database said that it was revoked. */
  forget: (credentialId: number) => void
}

/** What a credential writes is checked against the database again in the same transaction, so this may be long. */
const KNOWN_MS = 60_000
const MOST_KNOWN = 50_000

const FIND = `
SELECT c.secret_hash AS "secretHash", c.cloud_id AS "cloudId", c.host_id AS "hostId", h.name AS "hostName", c.enrolment
FROM agent_credential c JOIN host h ON h.id = c.host_id WHERE c.id = $1 AND c.revoked_at IS NULL`

type Row = { secretHash: string; cloudId: number; hostId: number; hostName: string; enrolment: number }

const unauthorized = () =>
  new AgentError(
    'unauthorized',
    'The console does not know this credential, or it was revoked. Enrol the host again with a join token.',
  )

export const createCredentialStore = ({
  query,
  nowMs = () => performance.now(),
}: {
  query: Query
  nowMs?: () => number
}): CredentialStore => {
  const known = new Map<number, Known>()
  const running = new Map<number, Promise<Known | null>>()

  const find = async (id: number): Promise<Known | null> => {
    const [row] = await query<Row>(FIND, [id])
    if (row === undefined) return null
    const { secretHash, ...host } = row
    const found: Known = {
      secretHash,
      actor: { kind: 'agent', credentialId: id, ...host },
      untilMs: nowMs() + KNOWN_MS,
    }
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(id, found)
    return found
  }

  const findOnce = (id: number): Promise<Known | null> => {
    const pending = running.get(id) ?? find(id).finally(() => running.delete(id))
    running.set(id, pending)
    return pending
  }

  return {
    authenticate: async (text) => {
      const given = readCredential(text)
      if (given === null) throw unauthorized()
      const held = known.get(given.id)
      const credential = held !== undefined && held.untilMs > nowMs() ? held : await findOnce(given.id)
      if (credential === null || !isSecretOf(given.secret, credential.secretHash)) throw unauthorized()
      return credential.actor
    },
    forget: (credentialId) => known.delete(credentialId),
  }
}
