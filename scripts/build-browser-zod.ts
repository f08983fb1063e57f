/** Bundles lib/schemas/mini.ts to the file that next.config.mjs puts in its place in the browser. */
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

export const buildBrowserZod = async (): Promise<void> => {
  await build({
    absWorkingDir: root,
    entryPoints: ['lib/schemas/mini.ts'],
    outfile: '.cache/browser-zod.mjs',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  })
}
