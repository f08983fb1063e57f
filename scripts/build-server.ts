import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildProgram } from './build-program'
import { CONSOLE_NODE, refuseOldNode } from './old-node'

const dist = join(import.meta.dirname, '..', 'dist')

/** Loads the rest only where it can be read: an import at the top would be read first. */
const entry = `${refuseOldNode(CONSOLE_NODE)}
// What was built for production runs in production mode by default.
process.env.NODE_ENV = process.env.NODE_ENV || 'production';
await import('./parts/server.mjs');
`

/** Bundles server.ts to dist/parts, with what not every console needs in separate files, and dist/server.mjs to start it. */
export const buildServer = async (): Promise<void> => {
  await rm(join(dist, 'parts'), { recursive: true, force: true })
  await buildProgram({
    entry: 'server.ts',
    outdir: join('dist', 'parts'),
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: '[name]-[hash]',
    sourcemap: true,
  })
  await rm(join(dist, 'server.mjs.map'), { force: true })
  await writeFile(join(dist, 'server.mjs'), entry)
}
