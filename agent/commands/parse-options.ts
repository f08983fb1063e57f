import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Words on the command line that the agent cannot follow: one sentence, exit status 2. */
export class UsageError extends Error {}

type OptionsConfig = NonNullable<ParseArgsConfig['options']>

/** Node's own sentences give advice that does not fit here. */
const sentenceFor = (err: unknown, command: string): string => {
  const code = err instanceof Error && 'code' in err ? err.code : ''
  const words = err instanceof Error ? err.message : ''
  const name = /--?[A-Za-z][\w-]*/.exec(words)?.[0] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `"${name}" is not an option of "${command}"; see "sliceboard-agent --help".`
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `"${command}" takes options only, each beginning with "--"; see "sliceboard-agent --help".`
  const rule = words.includes('does not take') ? 'takes no value' : 'needs a value'
  return `"${name}" of "${command}" ${rule}; see "sliceboard-agent --help".`
}

/** Values of the options of one command; throws `UsageError`. */
export const parseOptions = <T extends OptionsConfig>(command: string, words: string[], options: T) => {
  try {
    return parseArgs({ args: words, options, strict: true, allowPositionals: false }).values
  } catch (err) {
    throw new UsageError(sentenceFor(err, command))
  }
}
