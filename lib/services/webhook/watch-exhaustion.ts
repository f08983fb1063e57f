import 'server-only'
import {
  advanceExhaustions,
  type Exhaustion,
  type ExhaustionStep,
  type TypeSums,
} from '@/lib/domain/webhook/exhaustion'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Exhaustion as ExhaustionRow, Prisma } from '@/lib/server/prisma-client/client'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import type { SummedFleet } from '@/lib/services/fleet/tally-cards'
import { sumFleet } from '@/lib/services/overview/sum-fleet'
import { loadSubscriptions, queueEvent } from '@/lib/services/webhook-outbox/queue-event'

/** Clouds with a webhook for exhaustion, or one that was notified. */
const WATCHED = {
  OR: [{ webhooks: { some: { wantsExhaustion: true, isEnabled: true } } }, { exhaustions: { some: {} } }],
} satisfies Prisma.CloudWhereInput

// SQL: row locks.
const LOCK_HELD = 'SELECT 1 FROM exhaustion WHERE cloud_id = $1 ORDER BY type_id FOR UPDATE'

const exhaustionOf = ({ typeId, typeName, since, notifiedAt, overSince }: ExhaustionRow): Exhaustion => ({
  typeId,
  typeName,
  since: since.toISOString(),
  notifiedAt: notifiedAt?.toISOString() ?? null,
  overSince: overSince?.toISOString() ?? null,
})

const added = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : one + other

/** A type may stand on several models. */
const merged = (one: TypeSums, other: TypeSums): TypeSums => ({
  ...one,
  pgpus: one.pgpus + other.pgpus,
  capacity: added(one.capacity, other.capacity),
  used: added(one.used, other.used),
  spare: added(one.spare, other.spare),
  creatable: added(one.creatable, other.creatable),
  unknown: one.unknown + other.unknown,
})

const typesOf = (view: SummedFleet): Map<string, TypeSums> => {
  const types = new Map<string, TypeSums>()
  for (const { typeId, shortName, unit, ...totals } of sumFleet(view).byModel.flatMap(
    ({ byType }) => byType,
  )) {
    if (typeId === null || unit === 'passthrough') continue
    const { pgpus, capacity, used, spare, free, stranded, unknown, unknownPgpus } = totals
    const creatable = free === null ? null : free + (stranded ?? 0)
    const notCounted = unknownPgpus + (unknown ?? 0)
    const sums = { typeId, typeName: shortName, pgpus, capacity, used, spare, creatable, unknown: notCounted }
    const known = types.get(typeId)
    types.set(typeId, known === undefined ? sums : merged(known, sums))
  }
  return types
}

/** The numbers of hosts that report; the pGPUs of the others are unknown, because a last known number neither begins nor ends it. */
const loadTypes = async (ctx: ServiceContext, cloud: Cloud): Promise<TypeSums[]> => {
  const view = await readFleetView(ctx, cloud)
  const hosts = view.fleet.hosts.filter(({ id }) => !view.silentHosts.has(id))
  const reported = typesOf({ ...view, fleet: { ...view.fleet, hosts } })
  const nothing = { capacity: null, used: null, spare: null, creatable: null }
  return [...typesOf(view).values()].map((all): TypeSums => {
    const known = reported.get(all.typeId) ?? { ...all, ...nothing, pgpus: 0, unknown: 0 }
    return { ...known, pgpus: all.pgpus, unknown: known.unknown + all.pgpus - known.pgpus }
  })
}

const eventsOf = (
  { begun, ended }: ExhaustionStep,
  { at, cloud }: { at: string; cloud: string },
): WebhookEvent[] => {
  const typeOf = ({ typeId, typeName, since }: Exhaustion) => ({
    type: { id: typeId, name: typeName },
    since,
  })
  return [
    ...begun.map(
      ({ exhaustion, ...numbers }): WebhookEvent => ({
        event: 'exhaustion.begun',
        at,
        cloud,
        ...typeOf(exhaustion),
        ...numbers,
      }),
    ),
    ...ended.map(
      ({ exhaustion, ...end }): WebhookEvent => ({
        event: 'exhaustion.ended',
        at,
        cloud,
        ...typeOf(exhaustion),
        ...end,
      }),
    ),
  ]
}

const lookAt = async (ctx: ServiceContext, cloud: Cloud): Promise<void> => {
  const at = ctx.now()
  const types = await loadTypes(ctx, cloud)
  await ctx.database.transaction(async ({ prisma, query }) => {
    const subscriptions = (await loadSubscriptions(query, cloud.id)).filter(
      ({ wantsExhaustion }) => wantsExhaustion,
    )
    await query(LOCK_HELD, [cloud.id])
    const where = { cloudId: cloud.id }
    const held = await prisma.exhaustion.findMany({ where, orderBy: { typeId: 'asc' } })
    const step = advanceExhaustions({ held: held.map(exhaustionOf), types, now: at.toISOString() })
    await prisma.exhaustion.deleteMany({ where })
    // Without subscriptions the state is discarded, and starts again with the next subscription.
    if (subscriptions.length === 0) return
    await prisma.exhaustion.createMany({
      data: step.held.map((one) => ({ ...one, cloudId: cloud.id })),
    })
    for (const event of eventsOf(step, { at: at.toISOString(), cloud: cloud.name }))
      for (const { webhookId } of subscriptions) await queueEvent(query, { webhookId, event, at })
  })
}

/** Checks each cloud for vGPU types of which none is free, and notifies webhooks when that begins and when it ends. */
export const watchExhaustion = async (ctx: ServiceContext): Promise<void> => {
  const clouds = await ctx.database.prisma.cloud.findMany({
    where: WATCHED,
    select: { id: true, name: true, region: true },
    orderBy: { id: 'asc' },
  })
  for (const cloud of clouds) await lookAt(ctx, cloud)
}
