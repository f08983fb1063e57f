import { runServer } from './lib/server/process/run-server'

await runServer({ frontHandlers: [] })
