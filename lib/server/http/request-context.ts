import 'server-only'
import type { Runtime } from '../runtime'
import { LOCAL_ADMIN, type ServiceContext } from '../service-context'

/** The context of one browser request or page. */
export const requestContext = (runtime: Runtime, requestId: string): ServiceContext => ({
  database: runtime.database,
  actor: LOCAL_ADMIN,
  now: runtime.now,
  log: runtime.log.child({ requestId }),
  requestId,
  silentAfterSeconds: runtime.env.silentAfterSeconds,
})
