import 'server-only'
import type { IncomingMessage } from 'node:http'
import type { Actor } from '@/lib/server/context/service-context'
import { AgentError } from '@/lib/server/errors/agent-error'
import { createRateLimit } from '@/lib/util/rate-limit'
import type { Query } from '../database/database'
import { createCredentialStore } from './credential-store'

export type AgentActor = Extract<Actor, { kind: 'agent' }>

/** What one console takes in a second. An agent sends one message every 30 s, a few a second after a time without console. */
export type AgentRates = Record<
  'perCredential' | 'bytes' | 'all' | 'failed' | 'enrolment',
  { burst: number; perSecond: number }
>

export const AGENT_RATES: AgentRates = {
  perCredential: { burst: 60, perSecond: 10 },
  /** Unpacked bytes of one agent: reading 8 MiB blocks the event loop for half a second. */
  bytes: { burst: 16_777_216, perSecond: 262_144 },
  all: { burst: 20_000, perSecond: 10_000 },
  failed: { burst: 200, perSecond: 20 },
  enrolment: { burst: 200, perSecond: 50 },
}

export type AgentGate = {
  /** Who sends this, if the rates allow it; at once where the credential is known. */
  admit: (req: IncomingMessage) => AgentActor | Promise<AgentActor>
  /** Whether this agent may send this number of unpacked bytes more; `rate_limited` if not. */
  admitBytes: (actor: AgentActor, bytes: number) => void
  /** The join token of an enrolment, if the rates allow it. */
  admitEnrolment: (req: IncomingMessage) => string
  forget: (credentialId: number) => void
}

const limited = (what: string, retryAfterSeconds: number) =>
  new AgentError('rate_limited', `${what} Send it again in ${retryAfterSeconds} s.`, { retryAfterSeconds })

const bearerOf = (req: IncomingMessage, what: string): string => {
  const { authorization } = req.headers
  const given = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
  if (given !== undefined) return given
  const fault = authorization === undefined ? 'is missing' : 'has another form'
  throw new AgentError('unauthorized', `The header Authorization ${fault}. Send "Bearer" and ${what}.`)
}

/** Admission and rate of agents. */
export const createAgentGate = ({
  query,
  rates = AGENT_RATES,
}: {
  query: Query
  rates?: AgentRates
}): AgentGate => {
  const credentials = createCredentialStore({ query })
  const perCredential = createRateLimit(rates.perCredential)
  const bytesOf = createRateLimit(rates.bytes)
  const all = createRateLimit(rates.all)
  const failed = createRateLimit(rates.failed)
  const enrolments = createRateLimit(rates.enrolment)

  const takeFromAll = (): void => {
    const wait = all.take(0)
    if (wait > 0) throw limited('All agents together send more than the console takes.', wait)
  }

  const takeFromOwn = (actor: AgentActor): AgentActor => {
    const wait = perCredential.take(actor.credentialId)
    if (wait > 0) throw limited(`Host "${actor.hostName}" sends more often than the console takes.`, wait)
    return actor
  }

  const refuse = (error: unknown): never => {
    if (error instanceof AgentError && error.code === 'unauthorized') {
      const wait = failed.take(0)
      if (wait > 0) throw limited('Too many requests come with credentials that are not known.', wait)
    }
    throw error
  }

  return {
    admit: (req) => {
      takeFromAll()
      try {
        const found = credentials.authenticate(bearerOf(req, "the host's credential"))
        return found instanceof Promise ? found.then(takeFromOwn).catch(refuse) : takeFromOwn(found)
      } catch (error) {
        return refuse(error)
      }
    },
    admitBytes: (actor, bytes) => {
      const wait = bytesOf.take(actor.credentialId, bytes)
      if (wait > 0) throw limited(`Host "${actor.hostName}" sends more bytes than the console takes.`, wait)
    },
    admitEnrolment: (req) => {
      takeFromAll()
      const wait = enrolments.take(0)
      if (wait > 0) throw limited('More hosts enrol at once than the console takes.', wait)
      return bearerOf(req, 'a join token')
    },
    forget: credentials.forget,
  }
}
