/** Bundles what writes the demo's history to dist/write-past.mjs; packages stay in node_modules. */
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

export const buildPast = async (): Promise<void> => {
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/write-past.ts'],
    outfile: 'dist/write-past.mjs',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { 'server-only': './lib/server/empty.ts', '@': root },
    sourcemap: true,
    logLevel: 'warning',
  })
}
