import { allSteps } from '@/lib/util/all-steps'
import { type Encoded, joinEncoded, type Language, tagFor, trusted } from './encoded'
import { visible, visibleLines } from './visible'

/** Inline code with a fence longer than any run of backticks in the text. */
const inlineCode = (text: string): string => {
  const ticks = '`'.repeat(longestRun(text) + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${text}${pad}${ticks}`
}

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))

/**
 * GitHub and GitLab turn addresses into links even where their punctuation is escaped, and notify the users that `@name` mentions.
 */
const LINK_LIKE = /:\/\/|www\.|@[^\s@]|(?:mailto|xmpp):/i

const escaped = (word: string): string => word.replace(/[\\`*_[\]<>&#|~!$]/g, '\\$&')

const wordText = (word: string): string => (LINK_LIKE.test(word) ? inlineCode(word) : escaped(word))

/** At the start of a line these would begin a list, a heading underline or a code fence. */
const startText = (text: string): string =>
  text.replace(/^([-+=:])/, '\\$1').replace(/^(\d+)([.)])/, '$1\\$2')

/**
 * A text within a line of Markdown, shown literally: HTML, links, emphasis and code are escaped, and a word that looks like
 * an address or a mention is written as code so that no renderer makes a link of it. Blanks are collapsed. Control, format and
 * separator characters are replaced by their code points.
 */
export const markdownText = (text: string): Encoded<'markdown'> =>
  trusted(startText(visible(text).trim().split(/\s+/).map(wordText).join(' ')))

type CodeLanguage = '' | 'sh' | 'ini' | 'yaml'

/**
 * A block of code of several parts, one below the other. The fence is longer than any run of backticks in it. Line feeds stay.
 * A step is one part.
 */
export function* markdownCodeInSteps(
  parts: readonly Encoded<Language>[],
  language: CodeLanguage,
): Generator<void, Encoded<'markdown'>[]> {
  const contents: Encoded<'markdown'>[] = []
  let run = 2
  for (const part of parts) {
    const content = visibleLines(part)
    run = Math.max(run, longestRun(content))
    contents.push(trusted(content))
    yield
  }
  const ticks = '`'.repeat(run + 1)
  return [trusted(`${ticks}${language}`), ...contents, trusted(ticks)]
}

/** The same at once, of one text. */
export const markdownCode = (text: Encoded<Language>, language: CodeLanguage = ''): Encoded<'markdown'> =>
  joinEncoded(allSteps(markdownCodeInSteps([text], language)), '\n')

/** Lines of Markdown: md`# Change ${id}: ${markdownText(title)}`. */
export const md = tagFor<'markdown'>()
