import 'server-only'
import { deviceTypes } from '@/lib/domain/plans/read-taggable'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { personSession } from '@/lib/openstack/session/person-session'
import type { OpenStackSession, ServiceAccount } from '@/lib/openstack/session/types'
import type { ServiceContext } from '@/lib/server/service-context'
import { isServiceError } from '@/lib/server/service-error'
import { sessionEnd } from '@/lib/server/session/session-state'
import { findSessionById } from '@/lib/server/session/session-store'
import { openToken } from '@/lib/server/session/session-tokens'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinStoredHost } from '@/lib/services/cloud-reading/join-stored-host'
import { describeStoredHost } from '@/lib/services/host/describe-stored-host'
import type { ChangeRow } from './change-rows'
import { keptTraitList } from './kept-trait-list'
import { SignInEnded } from './sign-in-ended'
import type { HostNow, HostWords, Intent, WorkTools } from './works/step-work'

type Input = { ctx: ServiceContext; accounts: readonly ServiceAccount[] }

const tokenOf = async (
  { database, signIn, now }: ServiceContext,
  { sessionId, runBy }: ChangeRow,
): Promise<string> => {
  const who = runBy ?? 'whoever started it'
  const row = sessionId === null ? undefined : await findSessionById(database.query, sessionId)
  // A session that lies idle ends for the browser; its token holds on, and the change was asked for.
  const end = row === undefined || signIn === null ? 'refused' : sessionEnd(row, signIn, now())
  if (row === undefined || signIn === null || (end !== null && end !== 'idle'))
    throw new SignInEnded(`The sign-in of ${who} has ended, and the change runs with it.`)
  if (row.scopeKind !== 'project')
    throw new SignInEnded(`${who} has switched to the system, and Placement takes the token of a project.`)
  const token = openToken(signIn, row, 'scoped')
  if (token === null) throw new SignInEnded(`The token of ${who} can't be read any more.`)
  return token
}

const hostNow = async (ctx: ServiceContext, { cloud: name }: ChangeRow, host: string): Promise<HostNow> => {
  try {
    const cloud = await findCloud(ctx, { cloud: name })
    const stored = await factsOfCloud(ctx, cloud)
    if (stored === null) return { joined: null, reason: 'OpenStack has not been read yet' }
    const fleet = joinStoredHost(ctx, {
      facts: stored.facts,
      stored: await describeStoredHost(ctx, { cloud, host }),
    })
    const [joined] = fleet.hosts
    if (joined === undefined) return { joined: null, reason: `no agent reports ${host}` }
    return joined.host.isSilent
      ? { joined: null, reason: `the agent of ${host} is silent since ${joined.host.seenAt}` }
      : { joined, fleet, reason: null }
  } catch (error) {
    if (isServiceError(error)) return { joined: null, reason: error.message }
    throw error
  }
}

const typesOf = async (
  ctx: ServiceContext,
  change: ChangeRow,
  { host, address }: { host: string; address: string },
): Promise<HostWords> => {
  const { joined, reason } = await hostNow(ctx, change, host)
  if (joined === null) return { types: null, reason }
  const entry = joined.pgpus.find(({ pgpu }) => pgpu.address === address)
  if (entry === undefined) return { types: null, reason: 'its agent no longer reports it' }
  const { types, reason: why } = deviceTypes(joined, entry)
  if (types === null) return { types, reason: why }
  const words = [...types].map(
    ([device, { typeId, shortName }]) => [device, { typeId, typeName: shortName }] as const,
  )
  return { types: new Map(words), reason: null }
}

const INTENT = `SELECT intent FROM change_step WHERE change_id = $1 AND body->>'id' = $2`

const intentOf = async ({ database }: ServiceContext, { id }: ChangeRow, stepId: string) =>
  (await database.query<{ intent: Intent | null }>(INTENT, [id, stepId]))[0]?.intent ?? null

/** What the steps of changes work with: the token of whoever runs each, and the hosts' last words. */
export const createChangeTools = ({ ctx, accounts }: Input): ((change: ChangeRow) => Promise<WorkTools>) => {
  /** Of the people whose changes run now; a token is looked at by Keystone once in a while, not at each call. */
  const people = new Map<number, { tokenId: string; session: OpenStackSession }>()

  const sessionOf = async (change: ChangeRow): Promise<OpenStackSession> => {
    const account = accounts.find(({ cloud }) => cloud === change.cloud)
    if (account === undefined)
      throw new SignInEnded(`The cloud ${change.cloud} is not configured any more: put it into clouds.yaml.`)
    // Watching by hand only reads; a console without sign-in has the service account alone.
    if (change.isByHand || ctx.signIn === null) return account
    const tokenId = await tokenOf(ctx, change)
    const held = people.get(change.id)
    if (held?.tokenId === tokenId) return held.session
    const session = personSession(account, tokenId)
    people.set(change.id, { tokenId, session })
    return session
  }

  return async (change) => {
    const account = await sessionOf(change)
    return {
      change: { id: change.id, isByHand: change.isByHand },
      placement: createPlacement({ account }),
      nova: createNova({ account }),
      typesOf: (host, address) => typesOf(ctx, change, { host, address }),
      hostNow: (host) => hostNow(ctx, change, host),
      keptTraits: keptTraitList(ctx, change),
      intentOf: (stepId) => intentOf(ctx, change, stepId),
    }
  }
}
