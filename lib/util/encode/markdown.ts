import { type Encoded, type Language, tagFor, trusted } from './encoded'
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

/** A block of code. The fence is longer than any run of backticks in it. Line feeds stay. */
export const markdownCode = (
  text: Encoded<Language>,
  language: '' | 'sh' | 'ini' | 'yaml' = '',
): Encoded<'markdown'> => {
  const content = visibleLines(text)
  const ticks = '`'.repeat(Math.max(3, longestRun(content) + 1))
  return trusted(`${ticks}${language}\n${content}\n${ticks}`)
}

/** Lines of Markdown: md`# Change ${id}: ${markdownText(title)}`. */
export const md = tagFor<'markdown'>()
