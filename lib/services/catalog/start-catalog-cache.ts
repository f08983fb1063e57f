import 'server-only'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { cachedCatalog, countCatalog } from './catalog-cache'
import { catalogClouds } from './catalog-clouds'

/** Until every cloud has a catalog, the next attempt comes soon: the first attempts are slow and may find no reading yet. */
const FIRST_MS = 2000
const LONGEST_MS = 10_000
/** After that, counting takes at most this share of the time. */
const MAX_SHARE = 1 / 20

/** Computes the catalogs of tenants at a steady rate, independent of the fleet's activity, on every console. */
export const startCatalogCache = async (runtime: Runtime): Promise<void> => {
  const { log, accounts, env, signIn, onStop } = runtime
  if (signIn === null || accounts.length === 0) return
  const ctx = requestContext(runtime, 'catalog', { kind: 'system' })
  const paceMs = Math.min(env.readIntervalSeconds * 1000, LONGEST_MS)
  /** True when every cloud has a catalog. */
  const turn = async (isStopping: () => boolean): Promise<boolean> => {
    const clouds = await catalogClouds(runtime)
    for (const cloud of clouds) if (!isStopping()) await countCatalog(ctx, cloud)
    return clouds.every((cloud) => cachedCatalog(ctx, cloud) !== null)
  }
  const turns = repeat(async (isStopping) => {
    const startedAt = performance.now()
    const isComplete = await turn(isStopping).catch((err: unknown) => {
      log.error({ err }, 'Catalog update failed')
      return true
    })
    const tookMs = performance.now() - startedAt
    return { restMs: isComplete ? Math.max(paceMs, tookMs / MAX_SHARE) : FIRST_MS }
  })
  onStop('stop counting the catalog', turns.stop)
}
