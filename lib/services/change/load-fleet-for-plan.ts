import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { CLOUD_PARTS } from '@/lib/domain/cloud/freshness'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { shareByKey } from '@/lib/server/sharing/share-by-key'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinCloud } from '@/lib/services/cloud-reading/join-cloud'
import { loadHostFacts } from '@/lib/services/cloud-reading/load-host-facts'
import { loadTraitMemory } from '@/lib/services/cloud-reading/trait-memory'
import { silentBefore } from '@/lib/services/fleet/silence'
import { loadManagedTraits } from '@/lib/services/managed-trait/managed-trait-rows'

type LastWrite = { at: Date; by: string }

/** The console's newest write in OpenStack that a reading of `readAt` cannot show; null: there is none. */
const findWriteAfter = async (
  { database: { prisma } }: ServiceContext,
  { cloudId, readAt }: { cloudId: number; readAt: Date },
): Promise<LastWrite | null> => {
  const step = await prisma.changeStep.findFirst({
    where: { change: { cloudId }, changedAt: { gt: readAt }, state: { notIn: ['pending', 'skipped'] } },
    select: { changeId: true, changedAt: true },
    orderBy: { changedAt: 'desc' },
  })
  if (step !== null && step.changedAt !== null) return { at: step.changedAt, by: `change ${step.changeId}` }
  const managed = await prisma.managedTrait.findFirst({
    where: { cloudId, putBackAt: { gt: readAt } },
    select: { trait: true, putBackAt: true },
    orderBy: { putBackAt: 'desc' },
  })
  return managed === null || managed.putBackAt === null
    ? null
    : { at: managed.putBackAt, by: `the management of the trait ${managed.trait}` }
}

/** Plans and previews at the same time share one reading. */
const shareReading = shareByKey('fresh-facts')

const readAgain = async (
  ctx: ServiceContext,
  cloud: Cloud,
  previous: CloudFacts,
): Promise<CloudFacts | null> => {
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  if (account === undefined) return null
  // A separate reader: that of the rounds may be in the middle of one, or in another process.
  const reader = createCloudReader({ account })
  const hosts = await loadHostFacts(ctx.database, {
    cloudId: cloud.id,
    silentBefore: silentBefore(ctx),
    log: ctx.log,
  })
  const gpuHosts = hosts.filter(({ inventory }) => inventory.gpus.length > 0).map(({ name }) => name)
  return (await reader.readRound({ previous, now: ctx.now(), gpuHosts })).facts
}

/** The first part that was readable before the write and is not now. Neutron's agents are part of no plan. */
const lostPart = (before: CloudFacts, after: CloudFacts) =>
  CLOUD_PARTS.find(
    (part) => part !== 'networkAgents' && before[part].error === null && after[part].error !== null,
  )

const refusal = ({ at, by }: LastWrite, because: string): ServiceError =>
  new ServiceError(
    'precondition',
    `OpenStack was last read before ${by} wrote to it at ${at.toISOString()}, and ${because}. Wait for the next reading round, then plan again.`,
  )

/**
 * What OpenStack reported last, for a plan. Where the console itself has written since, OpenStack is read again, so that a
 * plan never starts from a state that the console has changed. Hosts need no such rule: a step on a host is done only when
 * the stored report of the host shows it. Null: the cloud was never read.
 */
const freshFacts = async (ctx: ServiceContext, cloud: Cloud): Promise<CloudFacts | null> => {
  const stored = await factsOfCloud(ctx, cloud)
  const readAt = stored?.facts.providers.at ?? null
  if (stored === null || readAt === null) return stored?.facts ?? null
  const write = await findWriteAfter(ctx, { cloudId: cloud.id, readAt: new Date(readAt) })
  if (write === null) return stored.facts
  const facts = await shareReading(ctx.database, cloud.name, () => readAgain(ctx, cloud, stored.facts))
  if (facts === null) throw refusal(write, 'no account of the cloud is configured to read it again')
  const lost = lostPart(stored.facts, facts)
  if (lost !== undefined) throw refusal(write, `reading it again failed (${facts[lost].error})`)
  return facts
}

/** A plan is checked again before each step, so data of some minutes ago is recent enough. */
const STALE_AFTER_MS = 180_000

/** The snapshot that plans are made from. Refused while Placement's data is missing or old. */
export const loadFleetForPlan = async (ctx: ServiceContext, cloud: Cloud): Promise<Fleet> => {
  const facts = await freshFacts(ctx, cloud)
  const now = ctx.now()
  if (facts === null || facts.providers.at === null || facts.providers.value === null)
    throw new ServiceError(
      'precondition',
      `Placement of ${cloud.name} has not been read yet. Wait for the first reading round, then plan again.`,
    )
  const { providers } = facts
  if (now.getTime() - Date.parse(facts.providers.at) > STALE_AFTER_MS)
    throw new ServiceError(
      'precondition',
      `The data of Placement of ${cloud.name} is from ${providers.at}, too old for a plan${providers.error === null ? '' : ` (${providers.error})`}. Plan again when Placement answers.`,
    )
  return joinCloud(ctx, {
    cloud,
    facts,
    staleAfterMs: STALE_AFTER_MS,
    traits: {
      traitMemory: await loadTraitMemory(ctx.database.query, cloud.id),
      managedTraits: await loadManagedTraits(ctx.database, cloud.id),
    },
  })
}
