/** `npm run demo`: builds what is missing, then runs the console with a simulated cloud and real agents. */
import { buildMissing, buildMissingPast } from './demo-run/build-missing'
import { runToTheEnd } from './demo-run/run-to-the-end'

process.exitCode = await runToTheEnd({
  name: 'demo',
  defaultDirectory: '.demo',
  prepare: async ({ root, say }) => {
    await buildMissing(root, say)
    await buildMissingPast(root)
    return {
      args: ['--max-semi-space-size=32', 'dist/server.mjs'],
      env: { NODE_ENV: 'production' },
    }
  },
})
