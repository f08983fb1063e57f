import { buildProgram } from './build-program'

/** Bundles what writes the demo's history to dist/write-past.mjs. */
export const buildPast = (): Promise<void> =>
  buildProgram({ entry: 'scripts/write-past.ts', outfile: 'dist/write-past.mjs', sourcemap: true })
