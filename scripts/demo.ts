/** `npm run demo`: builds what is missing, then runs the console with a simulated cloud and real agents. */
import { buildMissing, buildMissingPast } from './demo-run/build-missing'
import { runToTheEnd } from './demo-run/run-to-the-end'

process.exitCode = await runToTheEnd({
  name: 'demo',
  defaultDirectory: '.demo',
  prepare: async (context) => {
    await buildMissing(context)
    await buildMissingPast(context.root)
    return {
      args: ['dist/server.mjs'],
      env: { NODE_ENV: 'production' },
    }
  },
})
