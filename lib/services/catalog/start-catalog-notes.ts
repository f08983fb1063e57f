import 'server-only'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { boardClouds } from './board-clouds'
import { tellWatchers } from './tell-watchers'

const LOOK_MS = 10_000

/** Sends the notifications that tenants requested to the webhook, if one is configured. */
export const startCatalogNotes = async (runtime: Runtime): Promise<void> => {
  const { env, log, accounts, signIn, onStop } = runtime
  const { webhook, url } = env
  if (webhook === null || signIn === null || accounts.length === 0) return
  const ctx = requestContext(runtime, 'catalog-notes', { kind: 'system' })
  const turns = repeat(async (isStopping) => {
    try {
      for (const cloud of await boardClouds(runtime))
        if (!isStopping()) await tellWatchers(ctx, { cloud, webhook, url })
    } catch (err) {
      log.error({ err }, 'Webhook delivery failed')
    }
    return { restMs: LOOK_MS }
  })
  onStop('stop telling the webhook', turns.stop)
}
