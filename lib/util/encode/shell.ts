import { type Encoded, joinEncoded, type Language, type Part, tagFor, trusted } from './encoded'
import { visible, visibleLines } from './visible'

/** Characters that no shell interprets, and no `=` first, which zsh expands. */
const PLAIN = /^[A-Za-z0-9_./:@%+-][A-Za-z0-9_./:@%+=-]*$/

const quoted = (text: string): Encoded<'shell'> =>
  trusted(PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/**
 * One word for a POSIX shell. Control, format and separator characters are replaced by their code points (⟨U+001B⟩): a
 * script that prints its arguments then never sends an escape sequence to a terminal, and such a name matches no object.
 * A word may start with `-`: use shellOption and shellOperands where a program would read it as an option.
 */
export const shellWord = (text: string): Encoded<'shell'> => quoted(visible(text))

/** Words with blanks between them. */
export const shellArguments = (texts: readonly string[]): Encoded<'shell'> =>
  joinEncoded(texts.map(shellWord), ' ')

/** An option with its value, joined by `=` where the value starts with `-` and would be read as another option. */
export const shellOption = (name: Encoded<'shell'>, value: string): Encoded<'shell'> =>
  trusted(`${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`)

/**
 * The last words of a command, which are no options: after `--` where one starts with `-`. python-openstackclient takes
 * `--os-auth-url=…` anywhere before that and sends the password of the caller there.
 */
export const shellOperands = (texts: readonly string[]): Encoded<'shell'> =>
  trusted(`${texts.some((text) => text.startsWith('-')) ? '-- ' : ''}${shellArguments(texts)}`)

/** Commands of a shell: sh`openstack flavor set ${shellWord(name)}`. */
export const sh = tagFor<'shell'>()

/** A script of the program's own, whose backslashes are kept as they are written. */
export const shellProgram = (
  literal: TemplateStringsArray,
  ...parts: readonly Part<'shell'>[]
): Encoded<'shell'> => sh(Object.assign([...literal.raw], { raw: literal.raw }), ...parts)

/** A command as one word, for `ssh HOST` or `sh -c`, which read it as a command a second time. */
export const nestedCommand = (command: Encoded<'shell'>): Encoded<'shell'> => quoted(command)

/** A value inside a command that ssh runs: quoted for the shell on the host, and again for the local one. */
export const sshWord = (text: string): Encoded<'shell'> => nestedCommand(shellWord(text))

/** A comment. It ends at the line's end, which the text cannot contain. */
export const shellComment = (text: string): Encoded<'shell'> => trusted(`# ${visible(text)}`)

/** One for each first character: few texts have lines that begin like all of them. */
const TERMINATORS = ['END', ...[...'ABCDFGHIJKLMNOPQRSTUVWXYZ_'].map((letter) => `${letter}_END`)]

const absentFrom = (content: string, word: string): string => {
  let terminator = word
  for (let number = 1; content.includes(terminator); number += 1) terminator = `${word}_${number}`
  return terminator
}

/** dash 0.5.12 drops a byte above 127 that follows the beginning of the terminator at the start of a line. */
const losesBytes = (content: string, terminator: string): boolean =>
  content.split('\n').some((line) => {
    let same = 0
    while (same < terminator.length && line[same] === terminator[same]) same += 1
    return same > 0 && line.charCodeAt(same) > 0x7f
  })

/**
 * A command that reads a text from a here-document, or from a pipe where dash would change the here-document. The terminator does
 * not occur in the text, and the shell expands nothing in it. Line feeds are unchanged; other control, format and separator
 * characters are replaced by their code points.
 */
export const heredoc = (command: Encoded<'shell'>, text: Encoded<Language>): Encoded<'shell'> => {
  const content = visibleLines(text)
  const terminators = TERMINATORS.map((word) => absentFrom(content, word))
  const terminator = terminators.find((word) => !losesBytes(content, word))
  return trusted(
    terminator === undefined
      ? `printf '%s\\n' ${quoted(content)} | ${command}`
      : `${command} <<'${terminator}'\n${content}\n${terminator}`,
  )
}
