/**
 * `npm run build:agent`: dist/sliceboard-agent.mjs with its checksum, one file that needs Node 18 or newer and nothing
 * else. `-- --executable` makes dist/sliceboard-agent too, one executable that brings its Node along.
 */
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { bundleAgent, writeChecksum } from './agent-build/bundle'
import { buildExecutable } from './agent-build/executable'

const { values } = parseArgs({ options: { executable: { type: 'boolean' } } })
const dist = path.resolve('dist')
mkdirSync(dist, { recursive: true })

const report = (file: string): void => {
  const sum = writeChecksum(file)
  const kilobytes = Math.round(statSync(file).size / 1024)
  console.log(`${path.relative(process.cwd(), file)}  ${kilobytes} kB  sha256 ${sum}`)
}

const bundle = path.join(dist, 'sliceboard-agent.mjs')
await bundleAgent({ entry: 'agent/main.ts', format: 'esm', outfile: bundle, banner: '#!/usr/bin/env node' })
chmodSync(bundle, 0o755)
report(bundle)

if (values.executable) {
  const executable = path.join(dist, 'sliceboard-agent')
  await buildExecutable(executable)
  report(executable)
}
