import { GET as getMarks } from './app/api/v1/capacity/marks/route'
import { GET as getCapacity } from './app/api/v1/capacity/route'
import { GET as getWeek } from './app/api/v1/capacity/week/route'
import { GET as getFreshness } from './app/api/v1/freshness/route'
import { GET as getOverview } from './app/api/v1/overview/route'
import { GET as getUtilization } from './app/api/v1/utilization/route'
import { createAgentApi } from './lib/server/agent-api/agent-api'
import { startDatabaseUpkeep } from './lib/server/background/database-upkeep'
import { createFleetApi } from './lib/server/front-api/fleet-api'
import { createFrontRoutes } from './lib/server/front-api/front-routes'
import { runServer } from './lib/server/process/run-server'
import { startSigningKeys } from './lib/services/agent-command/start-signing-keys'
import { startCatalogCache } from './lib/services/catalog/start-catalog-cache'
import { startCatalogNotifications } from './lib/services/catalog/start-catalog-notifications'
import { startChangeRunner } from './lib/services/change/start-change-runner'
import { startCloudReadings } from './lib/services/cloud-reading/start-cloud-readings'
import { startGrantEnds } from './lib/services/quota-request/start-grant-ends'
import { startReviews } from './lib/services/review/start-reviews'
import { startRollUps } from './lib/services/roll-up/start-roll-ups'
import { startUtilization } from './lib/services/utilization/start-utilization'
import { startExhaustionWatch } from './lib/services/webhook/start-exhaustion-watch'
import { startWebhookDeliveries } from './lib/services/webhook/start-webhook-deliveries'

/** A page requests several charts at once, and every open page polls the two others. */
const reads = createFrontRoutes({
  '/api/v1/capacity': getCapacity,
  '/api/v1/capacity/marks': getMarks,
  '/api/v1/capacity/week': getWeek,
  '/api/v1/freshness': getFreshness,
  '/api/v1/overview': getOverview,
  '/api/v1/utilization': getUtilization,
})

await runServer({
  frontHandlers: [createAgentApi, createFleetApi, reads],
  tasks: [
    startDatabaseUpkeep,
    startSigningKeys,
    startCloudReadings,
    startCatalogCache,
    startCatalogNotifications,
    startChangeRunner,
    startGrantEnds,
    startRollUps,
    startReviews,
    startUtilization,
    startExhaustionWatch,
    startWebhookDeliveries,
  ],
})
