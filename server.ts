import { createAgentApi } from './lib/server/agent-api/agent-api'
import { startDatabaseUpkeep } from './lib/server/background/database-upkeep'
import { createFleetApi } from './lib/server/fleet-api/fleet-api'
import { runServer } from './lib/server/process/run-server'
import { startCatalogBoards } from './lib/services/catalog/start-catalog-boards'
import { startCatalogNotes } from './lib/services/catalog/start-catalog-notes'
import { startChangeRunner } from './lib/services/change/start-change-runner'
import { startCloudReadings } from './lib/services/cloud-reading/start-cloud-readings'
import { startRollUps } from './lib/services/history/start-roll-ups'
import { startGrantEnds } from './lib/services/quota-request/start-grant-ends'
import { startReviews } from './lib/services/review/start-reviews'
import { startUtilisation } from './lib/services/utilisation/start-utilisation'
import { startExhaustionWatch } from './lib/services/webhook/start-exhaustion-watch'
import { startWebhookDeliveries } from './lib/services/webhook/start-webhook-deliveries'

await runServer({
  frontHandlers: [createAgentApi, createFleetApi],
  works: [
    startDatabaseUpkeep,
    startCloudReadings,
    startCatalogBoards,
    startCatalogNotes,
    startChangeRunner,
    startGrantEnds,
    startRollUps,
    startReviews,
    startUtilisation,
    startExhaustionWatch,
    startWebhookDeliveries,
  ],
})
