import 'server-only'
import { staleAfterMs } from '@/lib/server/settings/env'
import type { Runtime } from './runtime'
import type { Actor, ServiceContext } from './service-context'
import { webhookMeans } from './webhook-means'

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
