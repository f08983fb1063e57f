import { createAgentApi } from './lib/server/agent-api/agent-api'
import { createFleetApi } from './lib/server/fleet-api/fleet-api'
import { runServer } from './lib/server/process/run-server'

await runServer({ frontHandlers: [createAgentApi, createFleetApi] })
