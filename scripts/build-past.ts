import { buildProgram } from './build-program'
import { keepYear } from './demo-run/past'

/** Bundles what writes the demo's history to dist/write-past.mjs. */
export const buildPast = (): Promise<void> =>
  buildProgram({ entry: 'scripts/write-past.ts', outfile: 'dist/write-past.mjs', sourcemap: true })

/** Bundles it, and lets it write the year that the demo then begins with. */
export const buildYear = async (root: string): Promise<void> => {
  await buildPast()
  await keepYear(root)
}
