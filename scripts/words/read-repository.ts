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

/** Every hit in the repository's tracked and new files. */
export const readRepository = (root: string): WordHit[] => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return listed
    .split('\0')
    .filter((file) => /\.(tsx?|md)$/.test(file) && !EXCEPTIONS.some((pattern) => pattern.test(file)))
    .flatMap((file) => {
      const read = { file, text: readFileSync(path.join(root, file), 'utf8') }
      return file.endsWith('.md') ? findInDocument(read) : findInCode(read)
    })
}
