/** Bundles server.ts to dist/server.mjs; packages stay in node_modules. */
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

export const buildServer = async (): Promise<void> => {
  await build({
    absWorkingDir: root,
    entryPoints: ['server.ts'],
    outfile: 'dist/server.mjs',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { 'server-only': './lib/server/empty.ts', '@': root },
    // What was built for production runs as such, whoever starts it.
    banner: { js: "process.env.NODE_ENV ??= 'production';" },
    sourcemap: true,
    logLevel: 'warning',
  })
}
