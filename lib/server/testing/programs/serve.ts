/** The console's process without its pages: `/slow` answers after a while, `/endless` never, and the work at stop still needs the database. */

import { setTimeout as wait } from 'node:timers/promises'
import type { Runtime } from '@/lib/server/context/runtime'
import { anyRow } from '@/lib/server/testing/any-row'
import { type FrontHandler, runServer } from '../../process/run-server'

const createSlowHandler = (runtime: Runtime): FrontHandler => {
  runtime.onStop('say what was kept', async () => {
    const clouds = await runtime.database.query(
      'SELECT name FROM cloud ORDER BY name',
      [],
      anyRow<{ name: string }>(),
    )
    process.stdout.write(`stopped with ${clouds.map(({ name }) => name).join(',')}\n`)
  })
  return async (req, res) => {
    if (req.url === '/endless') {
      process.stdout.write('endless request\n')
      return true
    }
    if (req.url !== '/slow') return false
    process.stdout.write('slow request\n')
    await wait(700)
    res.end('done')
    return true
  }
}

await runServer({
  frontHandlers: [createSlowHandler],
  startPages: async () => ({
    handle: async (_req, res) => res.end('page'),
    close: async () => undefined,
  }),
})
