/**
 * `npm run test:regex`: asks recheck of every regular expression of the product whether some text makes it slow. Exit
 * code 1 for one that is, and is not on the list of those whose input is bounded.
 */
import { execFileSync } from 'node:child_process'
import { checkSync } from 'recheck'
import { BOUNDED } from './regexes/bounded'
import { type FoundRegex, findRegexes } from './regexes/find-regexes'

const FOLDERS = ['agent', 'app', 'components', 'lib', 'server.ts']
const MAX_MS = 20_000

const isProduct = (file: string): boolean => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file)

/** What is wrong with it, or null. */
const verdictOf = ({ source, flags }: FoundRegex): string | null => {
  const verdict = checkSync(source, flags, { timeout: MAX_MS })
  if (verdict.status === 'safe') return null
  return verdict.status === 'unknown'
    ? 'not decided'
    : `${verdict.complexity.summary}, by ${verdict.attack.pattern}`
}

const files = execFileSync('git', ['ls-files', ...FOLDERS], { encoding: 'utf8' })
  .split('\n')
  .filter(isProduct)
const locations = new Map<string, FoundRegex[]>()
for (const one of files.flatMap(findRegexes)) {
  const text = `/${one.source}/${one.flags}`
  locations.set(text, [...(locations.get(text) ?? []), one])
}

let slow = 0
for (const [text, found] of locations) {
  const [first] = found
  const verdict = first === undefined ? null : verdictOf(first)
  if (verdict === null) continue
  const bound = BOUNDED.get(text)
  if (bound === undefined) slow += 1
  const where = found.map(({ file, line }) => `${file}:${line}`).join(', ')
  process.stdout.write(
    `${bound === undefined ? 'SLOW' : `bounded (${bound})`}: ${text} ${verdict}, at ${where}\n`,
  )
}
process.stdout.write(`${locations.size} regular expressions of ${files.length} files, ${slow} slow\n`)
process.exitCode = slow === 0 ? 0 : 1
