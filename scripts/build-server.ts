import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildProgram } from './build-program'

/** Bundles server.ts to dist/server.mjs, with what not every console needs in dist/parts. */
export const buildServer = async (): Promise<void> => {
  await rm(join(import.meta.dirname, '..', 'dist', 'parts'), { recursive: true, force: true })
  await buildProgram({
    entry: 'server.ts',
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    // What was built for production runs as such, whoever starts it.
    banner: { js: "process.env.NODE_ENV ??= 'production';" },
    sourcemap: true,
  })
}
