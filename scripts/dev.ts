/** `npm run dev`: as the demo, with Next in development mode and a server that restarts when its source changes. */
import { buildMissingAgent, buildMissingPast } from './demo-run/build-missing'
import { refuseSecondNext } from './demo-run/next-lock'
import { runToTheEnd } from './demo-run/run-to-the-end'

process.exitCode = await runToTheEnd({
  name: 'dev',
  defaultDirectory: '.cache/dev',
  prepare: async (context) => {
    refuseSecondNext(context.root)
    await buildMissingAgent(context)
    await buildMissingPast(context.root)
    return {
      args: [
        'node_modules/tsx/dist/cli.mjs',
        'watch',
        '--clear-screen=false',
        '--tsconfig',
        'tsconfig.server.json',
        'server.ts',
      ],
      env: { NODE_ENV: 'development' },
    }
  },
})
