import 'server-only'
import type { Env } from '@/lib/server/settings/env'
import type { Runtime } from './runtime'
import type { Actor, ServiceContext } from './service-context'
import { webhookMeans } from './webhook-means'

/** Rounds that may fail before the values of a service count as too old for findings. */
const STALE_INTERVALS = 5
const SHORTEST_STALE_MS = 180_000

/** Age at which OpenStack's values count as too old for findings. */
export const staleAfterMs = ({ readIntervalSeconds }: Env): number =>
  Math.max(readIntervalSeconds * 1000 * STALE_INTERVALS, SHORTEST_STALE_MS)

/** The context of one browser request or page. */
export const requestContext = (runtime: Runtime, requestId: string, actor: Actor): ServiceContext => ({
  database: runtime.database,
  actor,
  now: runtime.now,
  log: runtime.log.child({ requestId }),
  requestId,
  silentAfterSeconds: runtime.env.silentAfterSeconds,
  samplesEverySeconds: runtime.env.samplesEverySeconds,
  staleAfterMs: staleAfterMs(runtime.env),
  approvesChanges: runtime.env.changeApproval === 'always',
  reviewTimeZone: runtime.env.reviewTimeZone,
  dashboards: runtime.env.dashboards,
  webhooks: webhookMeans(runtime),
  accounts: runtime.accounts,
  signIn: runtime.signIn,
})
