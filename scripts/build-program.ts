import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

const root = join(import.meta.dirname, '..')

type Program = { entry: string } & Pick<
  BuildOptions,
  'banner' | 'chunkNames' | 'logLevel' | 'outdir' | 'outExtension' | 'outfile' | 'sourcemap' | 'splitting'
>

/** Bundles a program that the console's modules are in, paths from the root; packages stay in node_modules. */
export const buildProgram = async ({ entry, ...rest }: Program): Promise<void> => {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { 'server-only': './lib/server/empty.ts', '@': root },
    logLevel: 'warning',
    ...rest,
  })
}
