import 'server-only'
import { deviceTypes } from '@/lib/domain/cloud/read-taggable'
import { missingPlacements, type TraitPlacement } from '@/lib/domain/plans/managed-traits/keep-traits-step'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { personSession } from '@/lib/openstack/session/person-session'
import type { OpenStackSession, ServiceAccount } from '@/lib/openstack/session/types'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { PrismaConnection } from '@/lib/server/database/database'
import { isServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinStoredHost } from '@/lib/services/cloud-reading/join-stored-host'
import { describeStoredHost } from '@/lib/services/stored-host/describe-stored-host'
import { type ChangeRow, findIntent } from './change-rows'
import { createLimitExecutor } from './limit-executor'
import { personToken } from './person-token'
import { SignInEnded } from './sign-in-ended'
import {
  type HostNow,
  type LimitExecutor,
  type ManagedTraitList,
  type ReportedTypes,
  StepFailed,
  type StepTools,
} from './step-handlers/step-work'

// SQL: one upsert for all traits of a pGPU.
const ADD = `
INSERT INTO kept_trait (cloud_id, host, pgpu_address, address, trait, provider_name, type_id, type_name, provider_uuid,
  change_id, kept_by, kept_at)
SELECT $1, $2, $3, t.address, t.trait, t."providerName", t."typeId", t."typeName", t."providerUuid", $5, $6, $7::timestamptz
FROM jsonb_to_recordset($4::jsonb) AS t (address text, trait text, "providerName" text, "typeId" text, "typeName" text,
  "providerUuid" text)
ON CONFLICT (cloud_id, host, address, trait) DO UPDATE SET type_id = excluded.type_id, type_name = excluded.type_name,
  provider_uuid = excluded.provider_uuid, change_id = excluded.change_id, kept_by = excluded.kept_by,
  kept_at = excluded.kept_at, intent_uuid = NULL, intent_at = NULL, problem = NULL`

const listManaged = (
  { prisma }: PrismaConnection,
  { cloudId }: ChangeRow,
  { host, pgpuAddress }: { host: string; pgpuAddress: string },
): Promise<TraitPlacement[]> =>
  prisma.managedTrait.findMany({
    where: { cloudId, host, pgpuAddress },
    select: { address: true, providerName: true, trait: true, typeId: true, typeName: true },
    orderBy: [{ address: 'asc' }, { trait: 'asc' }],
  })

/** What the console keeps, as a step of this change reads and writes it. */
const managedTraitList = ({ database, now }: ServiceContext, change: ChangeRow): ManagedTraitList => ({
  list: (target) => listManaged(database, change, target),
  set: ({ host, pgpuAddress }, devices) =>
    database.transaction(async (connection) => {
      const held = await listManaged(connection, change, { host, pgpuAddress })
      const gone = missingPlacements(held, devices)
      const added = missingPlacements(devices, held)
      if (gone.length > 0)
        await connection.prisma.managedTrait.deleteMany({
          where: {
            cloudId: change.cloudId,
            host,
            OR: gone.map(({ address, trait }) => ({ address, trait })),
          },
        })
      if (added.length === 0) return
      const by = change.runBy ?? change.madeBy
      const values = [change.cloudId, host, pgpuAddress, JSON.stringify(added), change.id, by, now()]
      await connection.query(ADD, values)
    }),
})

type Input = { ctx: ServiceContext; accounts: readonly ServiceAccount[] }

/** Who a change runs as; `tokenId` null: the service account. */
type Person = { tokenId: string | null; session: OpenStackSession; limits: LimitExecutor }

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
      ? { joined: null, reason: `the agent of ${host} has been silent since ${joined.host.seenAt}` }
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
): Promise<ReportedTypes> => {
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

const intentOf = async (
  { database }: ServiceContext,
  { id }: ChangeRow,
  stepId: string,
): Promise<Intent | null> => {
  const { intent, because } = await findIntent(database, id, stepId)
  if (because !== null)
    throw new StepFailed(`The record of the step ${stepId} of this change cannot be read: ${because}.`)
  return intent
}

/** No person is called so: their names begin with `user:`. */
const OWN = describeActor({ kind: 'system' })

/**
 * The tools of the steps: clients with the token of the person who runs the change, and the last reports of the
 * hosts.
 */
export const createChangeTools = ({ ctx, accounts }: Input): ((change: ChangeRow) => Promise<StepTools>) => {
  /** Of the people whose changes run now; Keystone validates a token at intervals, not at each call. */
  const people = new Map<number, Person>()

  const personOf = async (change: ChangeRow): Promise<Person> => {
    const account = accounts.find(({ cloud }) => cloud === change.cloud)
    if (account === undefined)
      throw new SignInEnded(`The cloud ${change.cloud} is no longer configured. Add it to clouds.yaml.`)
    // Watching by hand only reads; a console without sign-in, and what it starts itself, has the service account alone.
    if (change.isByHand || ctx.signIn === null || change.runBy === OWN)
      return { tokenId: null, session: account, limits: createLimitExecutor({ account, tokenId: null }) }
    const tokenId = await personToken(ctx, change)
    const held = people.get(change.id)
    if (held?.tokenId === tokenId) return held
    const limits = createLimitExecutor({ account, tokenId })
    const person = { tokenId, session: personSession(account, tokenId), limits }
    people.set(change.id, person)
    return person
  }

  return async (change) => {
    const { session: account, limits } = await personOf(change)
    return {
      change: { id: change.id, isByHand: change.isByHand },
      placement: createPlacement({ account }),
      nova: createNova({ account }),
      limits,
      typesOf: (host, address) => typesOf(ctx, change, { host, address }),
      hostNow: (host) => hostNow(ctx, change, host),
      managedTraits: managedTraitList(ctx, change),
      intentOf: (stepId) => intentOf(ctx, change, stepId),
    }
  }
}
