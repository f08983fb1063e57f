import 'server-only'
import * as z from 'zod'
import {
  advanceExpected,
  type ExpectedGroup,
  type NotifiedGroup,
} from '@/lib/domain/webhook/expected-exhaustion'
import { WARNED_DIMENSIONS } from '@/lib/schemas/states'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { dateOf } from '@/lib/services/forecast/forecast-dto'
import { loadForecasts } from '@/lib/services/forecast/load-forecasts'
import { loadSubscriptions, queueEvent } from '@/lib/services/webhook-outbox/queue-event'
import { watchExhaustion } from './watch-exhaustion'

// SQL: row locks.
const LOCK_NOTIFIED = 'SELECT 1 FROM expected_exhaustion WHERE cloud_id = $1 FOR UPDATE'

const dimensionSchema = z.enum(WARNED_DIMENSIONS)

type Watched = { id: number; name: string; day: string }

/** Clouds with a webhook for exhaustion, with the last whole day that is rolled up. */
const listWatched = async ({ database }: ServiceContext): Promise<Watched[]> => {
  const clouds = await database.prisma.cloud.findMany({
    where: { webhooks: { some: { wantsExhaustion: true, isEnabled: true } } },
    select: { id: true, name: true, rollUp: { select: { until: true } } },
    orderBy: { id: 'asc' },
  })
  return clouds.flatMap(({ rollUp, ...cloud }) =>
    rollUp === null ? [] : { ...cloud, day: rollUp.until.toISOString().slice(0, 10) },
  )
}

/** Groups with a forecast. Groups that are already full are reported by the events of exhaustion instead. */
const loadGroups = async (ctx: ServiceContext, cloudId: number): Promise<ExpectedGroup[]> => {
  const groups: ExpectedGroup[] = []
  for (const by of ['type', 'aggregate'] as const) {
    const requested = { cloudId, by, key: null, asOf: ctx.now().getTime() }
    for (const { key, label, forecast } of (await loadForecasts(ctx.database.query, requested)).groups) {
      const { exhaustion, capacity, used } = forecast
      if (forecast.none !== null || exhaustion === null || capacity === null || used === null) continue
      const likely = exhaustion.kind === 'dated' ? exhaustion.likely : null
      groups.push({ by, key, label, likely: likely === null ? null : dateOf(likely), capacity, used })
    }
  }
  return groups
}

const eventOf = ({ by, key, label, likely, capacity, used }: ExpectedGroup, cloud: string, at: string) =>
  ({
    event: 'exhaustion.expected',
    at,
    cloud,
    group: { by, key, label },
    likely: likely ?? '',
    capacity,
    used,
  }) satisfies WebhookEvent

const lookAt = async (ctx: ServiceContext, { id, name, day }: Watched): Promise<void> => {
  const groups = await loadGroups(ctx, id)
  const at = ctx.now()
  await ctx.database.transaction(async ({ prisma, query }) => {
    const subscriptions = (await loadSubscriptions(query, id)).filter(
      ({ wantsExhaustion }) => wantsExhaustion,
    )
    await query(LOCK_NOTIFIED, [id])
    const rows = await prisma.expectedExhaustion.findMany({ where: { cloudId: id } })
    const notified = rows.map(
      ({ dimension, key }): NotifiedGroup => ({ by: dimensionSchema.parse(dimension), key }),
    )
    const { held, begun } = advanceExpected({ notified, groups, today: day })
    const column = ({ by, key }: NotifiedGroup) => ({ dimension: by, key })
    await prisma.expectedExhaustion.deleteMany({ where: { cloudId: id, NOT: { OR: held.map(column) } } })
    await prisma.expectedExhaustion.createMany({
      data: begun.map((group) => ({ ...column(group), cloudId: id, notifiedAt: at })),
      skipDuplicates: true,
    })
    for (const group of begun)
      for (const { webhookId } of subscriptions)
        await queueEvent(query, { webhookId, event: eventOf(group, name, at.toISOString()), at })
  })
}

/**
 * Notifies webhooks once of each type and aggregate that is likely to be full within 30 days. Forecasts change once a day, so
 * each cloud is checked once per day: `seen` holds its last checked day.
 */
export const watchForecasts = async (ctx: ServiceContext, seen: Map<number, string>): Promise<void> => {
  for (const cloud of await listWatched(ctx)) {
    if (seen.get(cloud.id) === cloud.day) continue
    await lookAt(ctx, cloud)
    seen.set(cloud.id, cloud.day)
  }
}

const LEASE = { name: 'watch exhaustion', forMs: 120_000 }
const LOOK_MS = 30_000

/** Watches for vGPU types that run out or are likely to, on one console at a time. */
export const startExhaustionWatch = async (runtime: Runtime): Promise<void> => {
  const { database, log } = runtime
  const ctx = requestContext(runtime, 'exhaustion-watch', { kind: 'system' })
  const lease = createLease({ database, log, ...LEASE })
  const seen = new Map<number, string>()
  const turns = repeat(async () => {
    try {
      if (await lease.hold()) {
        await watchExhaustion(ctx)
        await watchForecasts(ctx, seen)
      }
    } catch (err) {
      log.error({ err }, 'vGPU types could not be checked')
    }
    return { restMs: LOOK_MS }
  })
  runtime.onStop('stop watching vGPU types', async () => {
    await turns.stop()
    await lease.release()
  })
}
