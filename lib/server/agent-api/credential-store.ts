import 'server-only'
import * as z from 'zod'
import type { Actor } from '@/lib/server/context/service-context'
import { pgArray } from '@/lib/server/database/pg-array'
import { AgentError } from '@/lib/server/errors/agent-error'
import { isSecretOf, readCredential } from '@/lib/server/secrets/agent-secrets'
import type { Query } from '../database/database'

type AgentActor = Extract<Actor, { kind: 'agent' }>
type Known = { secretHash: string; actor: AgentActor; untilMs: number }

export type CredentialStore = {
  /** The actor of a credential, immediately if it is known. `unauthorized` for anything else. */
  authenticate: (text: string) => AgentActor | Promise<AgentActor>
  /** Removes a credential that the database reports as revoked. */
  forget: (credentialId: number) => void
}

/** What a credential writes is checked against the database again in the same transaction, so this may be long. */
const KNOWN_MS = 60_000
const MAX_KNOWN = 50_000

// SQL: reports wait for it.
const FIND = `
SELECT c.id, c.secret_hash AS "secretHash", c.cloud_id AS "cloudId", c.host_id AS "hostId", h.name AS "hostName", c.enrolment
FROM agent_credential c JOIN host h ON h.id = c.host_id WHERE c.id = ANY($1::int[]) AND c.revoked_at IS NULL`

const credentialRow = z.object({
  id: z.int(),
  secretHash: z.string(),
  cloudId: z.int(),
  hostId: z.int(),
  hostName: z.string(),
  enrolment: z.int(),
})

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
  let requested = new Set<number>()
  let next: Promise<Map<number, Known>> | null = null
  let last: Promise<unknown> = Promise.resolve()

  const readRequested = async (): Promise<Map<number, Known>> => {
    const ids = [...requested]
    requested = new Set()
    next = null
    const found = new Map<number, Known>()
    for (const { id, secretHash, ...host } of await query(FIND, [pgArray(ids)], credentialRow)) {
      const actor: AgentActor = { kind: 'agent', credentialId: id, ...host }
      found.set(id, { secretHash, actor, untilMs: nowMs() + KNOWN_MS })
    }
    if (known.size + found.size > MAX_KNOWN) known.clear()
    for (const [id, one] of found) known.set(id, one)
    return found
  }

  /**
   * One query at a time, for all credentials that were requested in the meantime, which limits the cost of invented
   * credentials.
   */
  const find = async (id: number): Promise<Known | null> => {
    requested.add(id)
    next ??= last.then(readRequested)
    const reading = next
    last = reading.catch(() => undefined)
    return (await reading).get(id) ?? null
  }

  const actorOf = (credential: Known | null, secret: string): AgentActor => {
    if (credential === null || !isSecretOf(secret, credential.secretHash)) throw unauthorized()
    return credential.actor
  }

  return {
    authenticate: (text) => {
      const given = readCredential(text)
      if (given === null) throw unauthorized()
      const { id, secret } = given
      const held = known.get(id)
      if (held !== undefined && held.untilMs > nowMs()) return actorOf(held, secret)
      return find(id).then((credential) => actorOf(credential, secret))
    },
    forget: (credentialId) => known.delete(credentialId),
  }
}
