import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import {
  advanceExhaustions,
  type Exhaustion,
  type ExhaustionStep,
  type TypeSums,
} from '@/lib/domain/webhook/exhaustion'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import type { SummedFleet } from '@/lib/services/fleet/tally-cards'
import { sumFleet } from '@/lib/services/overview/sum-fleet'
import { loadWishes, queueEvent } from '@/lib/services/webhook-outbox/queue-event'

/** Clouds where somebody wants to be told of exhaustion, or was. */
const WATCHED = `
SELECT c.id, c.name, c.region FROM cloud c
WHERE EXISTS (SELECT 1 FROM webhook w WHERE w.cloud_id = c.id AND w.wants_exhaustion AND w.is_enabled)
  OR EXISTS (SELECT 1 FROM exhaustion e WHERE e.cloud_id = c.id) ORDER BY c.id`

const HELD = `
SELECT type_id AS "typeId", type_name AS "typeName", since, told_at AS "toldAt", over_since AS "overSince"
FROM exhaustion WHERE cloud_id = $1 ORDER BY type_id FOR UPDATE`

const STORE = `
INSERT INTO exhaustion (cloud_id, type_id, type_name, since, told_at, over_since)
SELECT $1, n.* FROM jsonb_to_recordset($2::jsonb) AS n (
  "typeId" text, "typeName" text, since timestamptz, "toldAt" timestamptz, "overSince" timestamptz)`

type Row = { typeId: string; typeName: string; since: Date; toldAt: Date | null; overSince: Date | null }

const exhaustionOf = ({ since, toldAt, overSince, ...type }: Row): Exhaustion => ({
  ...type,
  since: since.toISOString(),
  toldAt: toldAt?.toISOString() ?? null,
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
  await ctx.database.transaction(async ({ query }) => {
    const wishes = (await loadWishes(query, cloud.id)).filter(({ wantsExhaustion }) => wantsExhaustion)
    const held = (await query(HELD, [cloud.id], uncheckedRow<Row>())).map(exhaustionOf)
    const step = advanceExhaustions({ held, types, now: at.toISOString() })
    await query('DELETE FROM exhaustion WHERE cloud_id = $1', [cloud.id])
    // When nobody wants to know any more it begins anew with the next who does.
    if (wishes.length === 0) return
    await query(STORE, [cloud.id, JSON.stringify(step.held)])
    for (const event of eventsOf(step, { at: at.toISOString(), cloud: cloud.name }))
      for (const { webhookId } of wishes) await queueEvent(query, { webhookId, event, at })
  })
}

/** Looks in each cloud for vGPU types of which none is free, and tells webhooks when that begins and when it is over. */
export const watchExhaustion = async (ctx: ServiceContext): Promise<void> => {
  for (const cloud of await ctx.database.query(WATCHED, [], uncheckedRow<Cloud>())) await lookAt(ctx, cloud)
}
