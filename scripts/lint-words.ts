/**
 * `npm run lint:words`: fails when texts, names, comments or documents contain words that CONTRIBUTING.md replaces.
 * `-- --list exceptions [PATH]` prints the hits that are allowed with a reason.
 */
import path from 'node:path'
import type { WordHit } from './words/find-words'
import { WORD_KINDS } from './words/patterns'
import { readRepository } from './words/read-repository'

const { hits, excepted, unused } = readRepository(path.join(import.meta.dirname, '..'))
const [option, name, prefix = ''] = process.argv.slice(2)

const print = (list: readonly WordHit[]): void => {
  for (const { file, line, found, use } of list)
    if (file.startsWith(prefix)) process.stdout.write(`${file}:${line}: "${found}": use ${use}\n`)
}

if (option === '--list' && name === 'exceptions') print(excepted)
else {
  print(hits)
  for (const kind of WORD_KINDS)
    process.stdout.write(`${kind}: ${hits.filter((hit) => hit.kind === kind).length} hits\n`)
  process.stdout.write(`exceptions: ${excepted.length} hits (scripts/words/read-repository.ts)\n`)
  for (const { name, files } of unused)
    process.stdout.write(`The exception for "${name}" in ${files} is not needed. Remove it.\n`)
  process.exitCode = hits.length + unused.length === 0 ? 0 : 1
}
