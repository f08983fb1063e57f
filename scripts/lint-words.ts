/**
 * `npm run lint:words`: counts the words that CONTRIBUTING.md replaces in texts, names, comments and documents, and fails when
 * a count is above its limit in scripts/words/limits.json. `--list KIND [PATH]` prints the hits, `--update` lowers the limits.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { WORD_KINDS } from './words/patterns'
import { compareCounts, countHits, type WordCounts } from './words/ratchet'
import { readRepository } from './words/read-repository'

const root = path.join(import.meta.dirname, '..')
const file = path.join(import.meta.dirname, 'words', 'limits.json')
const [option, kind, prefix = ''] = process.argv.slice(2)

const limits = JSON.parse(readFileSync(file, 'utf8')) as WordCounts
const hits = readRepository(root)
const counts = countHits(hits)

if (option === '--list') {
  for (const hit of hits)
    if (hit.kind === kind && hit.file.startsWith(prefix))
      process.stdout.write(`${hit.file}:${hit.line}: "${hit.found}": use ${hit.use}\n`)
} else {
  const { isHeld, lines } = compareCounts({ counts, limits })
  process.stdout.write(`${lines.join('\n')}\n`)
  if (option === '--update') {
    const lower = WORD_KINDS.map((each) => [each, Math.min(counts[each], limits[each])] as const)
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`)
  }
  process.exitCode = isHeld ? 0 : 1
}
