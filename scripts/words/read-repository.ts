import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { findInCode, findInDocument, type WordHit } from './find-words'

/** The patterns themselves, and what is a record of the past. */
const EXCEPTIONS = [
  /^scripts\/(words\/|lint-words\.ts$)/,
  /^CHANGELOG\.md$/,
  /^docs\/decisions\//,
  /^docs\/licenses\.md$/,
]

type Exception = { name: string; files: RegExp; reason: string }

/** Texts that stored data, SQL or other programs have, each with its reason. An empty name is any. */
const TEXT_EXCEPTIONS: readonly Exception[] = [
  {
    name: '',
    files:
      /\/review\/(sheet-texts|review-sheet(\.test)?|sheet-v2\/review-sheet-v2\.test|review-csv|testing\/october)\.tsx?$/,
    reason: 'frozen reviews of versions 1 to 3 show it',
  },
  {
    name: '',
    files:
      /\/stranded-reasons\.ts$|\/services\/review\/(testing\/review-(world|events)|reviews\.test)\.ts$|\/review-facts\.test\.ts$/,
    reason: 'the history of earlier releases has it',
  },
  { name: 'said', files: /\/(store-round|get-refused-demand)\.ts$/, reason: 'a column' },
  {
    name: 'standing',
    files: /\/(rolled-end|roll-up-at-once|rebuild-roll-ups|roll-up-cloud)\.ts$/,
    reason: 'a column',
  },
  {
    name: 'utilisation',
    files: /\/(fold-samples|roll-up-groups|start-utilization)\.ts$/,
    reason: 'locks that consoles of the release before take during an update',
  },
  { name: 'Promise', files: /^bench\/agent\.ts$/, reason: 'JavaScript in a text' },
]

/** Names that others define or that stored data has, each with its reason. */
const NAME_EXCEPTIONS: readonly Exception[] = [
  {
    name: 'utilisation',
    files:
      /^agent\/samples\/|\/agent\/samples\.ts$|\/agent-api\/samples\.test\.ts$|\/take-samples\.ts$|^scripts\/fuzz-run\//,
    reason: 'agents of earlier releases send it in their samples',
  },
  {
    name: 'place',
    files:
      /^agent\/collect\/|\/schemas\/agent\/|\/drop-in-order(\.test)?\.ts$|\/plan-type-change\.test\.ts$|\/base-clouds\.ts$/,
    reason: 'agents of earlier releases report it of the drop-in',
  },
  {
    name: 'utilisation',
    files: /\/arrival-rows\.ts$/,
    reason: 'earlier releases write and read it in the last readings of a host',
  },
  {
    name: 'utilisation',
    files: /\/review(s|-content)?\/|\/review-content\.ts$/,
    reason: 'the fingerprint of a frozen review covers it',
  },
  {
    name: 'untold',
    files: /\/review\/|\/review-content\.ts$/,
    reason: 'the fingerprint of a frozen review covers it',
  },
  { name: 'fence', files: /./, reason: 'the kind of a change, in the database and in the API' },
  { name: 'disk_available_least', files: /^simulator\//, reason: 'a field of Nova' },
  { name: 'cannot_tell', files: /\/store-findings\.ts$/, reason: 'a column' },
  { name: 'cannot_tell_since', files: /\/store-findings\.ts$/, reason: 'a column' },
  {
    name: 'blame',
    files: /\/plain-findings\.test\.ts$|\/finding\/finding(s\.test|-row)\.ts$/,
    reason: 'the release before stores findings with it',
  },
  {
    name: 'said',
    files: /\/plain-findings\.test\.ts$|\/finding\/finding(s\.test|-row)\.ts$/,
    reason: 'the release before stores findings with it',
  },
  {
    name: '',
    files: /\/stored-plan(s\.test)?\.ts$/,
    reason: 'names in which earlier releases stored plans',
  },
]

const EXCEPTIONS_OF: Partial<Record<WordHit['kind'], readonly Exception[]>> = {
  names: NAME_EXCEPTIONS,
  texts: TEXT_EXCEPTIONS,
}

const exceptionOf = ({ kind, file, found }: WordHit): Exception | undefined =>
  EXCEPTIONS_OF[kind]?.find(({ name, files }) => (name === '' || name === found) && files.test(file))

/**
 * Every hit in the repository's tracked and new files. `excepted`: those that an exception above allows. `unused`: exceptions
 * that no hit needs.
 */
export const readRepository = (
  root: string,
): { hits: WordHit[]; excepted: WordHit[]; unused: Exception[] } => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const all = listed
    .split('\0')
    .filter((file) => /\.(tsx?|md)$/.test(file) && !EXCEPTIONS.some((pattern) => pattern.test(file)))
    .flatMap((file) => {
      const read = { file, text: readFileSync(path.join(root, file), 'utf8') }
      return file.endsWith('.md') ? findInDocument(read) : findInCode(read)
    })
  const used = new Set(all.map(exceptionOf))
  return {
    hits: all.filter((hit) => exceptionOf(hit) === undefined),
    excepted: all.filter((hit) => exceptionOf(hit) !== undefined),
    unused: [...NAME_EXCEPTIONS, ...TEXT_EXCEPTIONS].filter((each) => !used.has(each)),
  }
}
