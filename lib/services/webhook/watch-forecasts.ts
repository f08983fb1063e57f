import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { advanceExpected, type ExpectedGroup, type ToldGroup } from '@/lib/domain/webhook/expected-exhaustion'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { dateOf } from '@/lib/services/forecast/forecast-dto'
import { loadForecasts } from '@/lib/services/forecast/load-forecasts'
import { loadWishes, queueEvent } from '@/lib/services/webhook-outbox/queue-event'

/** Clouds where somebody wants to be told of exhaustion, with the last whole day that is rolled up. */
const WATCHED = `
SELECT c.id, c.name, to_char(r.until AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM cloud c JOIN roll_up r ON r.cloud_id = c.id
WHERE EXISTS (SELECT 1 FROM webhook w WHERE w.cloud_id = c.id AND w.wants_exhaustion AND w.is_enabled) ORDER BY c.id`

const TOLD = 'SELECT dimension AS by, key FROM expected_exhaustion WHERE cloud_id = $1 FOR UPDATE'
const FORGET = `
DELETE FROM expected_exhaustion WHERE cloud_id = $1 AND NOT (dimension || ' ' || key = ANY(string_to_array($2, E'\\n')))`
const KEEP = `
INSERT INTO expected_exhaustion (cloud_id, dimension, key, told_at) VALUES ($1, $2, $3, $4::timestamptz)
ON CONFLICT DO NOTHING`

type Watched = { id: number; name: string; day: string }

/** Those of which a forecast can be made; what is full already is told by what is free now. */
const loadGroups = async (ctx: ServiceContext, cloudId: number): Promise<ExpectedGroup[]> => {
  const groups: ExpectedGroup[] = []
  for (const by of ['type', 'aggregate'] as const) {
    const asked = { cloudId, by, key: null, asOf: ctx.now().getTime() }
    for (const { key, label, forecast } of (await loadForecasts(ctx.database.query, asked)).groups) {
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
  await ctx.database.transaction(async ({ query }) => {
    const wishes = (await loadWishes(query, id)).filter(({ wantsExhaustion }) => wantsExhaustion)
    const told = await query(TOLD, [id], uncheckedRow<ToldGroup>())
    const { held, begun } = advanceExpected({ told, groups, today: day })
    await query(FORGET, [id, held.map(({ by, key }) => `${by} ${key}`).join('\n')])
    for (const { by, key } of begun) await query(KEEP, [id, by, key, at])
    for (const group of begun)
      for (const { webhookId } of wishes)
        await queueEvent(query, { webhookId, event: eventOf(group, name, at.toISOString()), at })
  })
}

/**
 * Tells webhooks once of each type and aggregate that is likely to be full within 30 days. Forecasts change with each day
 * that is over, so a cloud is looked at once for each: `seen` keeps the day by cloud.
 */
export const watchForecasts = async (ctx: ServiceContext, seen: Map<number, string>): Promise<void> => {
  for (const cloud of await ctx.database.query(WATCHED, [], uncheckedRow<Watched>())) {
    if (seen.get(cloud.id) === cloud.day) continue
    await lookAt(ctx, cloud)
    seen.set(cloud.id, cloud.day)
  }
}
