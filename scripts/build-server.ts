import { buildProgram } from './build-program'

/** Bundles server.ts to dist/server.mjs. */
export const buildServer = (): Promise<void> =>
  buildProgram({
    entry: 'server.ts',
    outfile: 'dist/server.mjs',
    // What was built for production runs as such, whoever starts it.
    banner: { js: "process.env.NODE_ENV ??= 'production';" },
    sourcemap: true,
  })
