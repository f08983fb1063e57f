import type { Output } from './outputs'
import { problemsOf } from './parse-formats'
import type { Sandbox, SandboxRun, ShellName } from './sandbox'

/** What a hostile text did: where, and what was found there. */
export type Effect = { output: string; what: string; excerpt?: string }

const CONTROLS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** The folder that [compute] provider_config_location names, with the text in its name, and the file that is meant for it. */
const NAMED_FOLDER = /^host\/etc\/nova\/provider_config[^/]*(\/sliceboard-traits\.yaml)?$/

const effectsOf = ({ calls, files, output }: SandboxRun): string[] => [
  ...calls
    .filter(([name]) => name === 'pwn')
    .map((words) => `ran ${JSON.stringify(words.join(' ').slice(0, 60))}`),
  ...calls.flatMap((words) => {
    const end = words.indexOf('--')
    return words
      .slice(1, end === -1 ? undefined : end)
      .filter((word) => /^-+pwn/i.test(word))
      .map((word) => `gave ${words.slice(0, 4).join(' ')} … the option ${word.slice(0, 40)}`)
  }),
  ...files
    .filter((file) => /pwn/i.test(file) && !NAMED_FOLDER.test(file))
    .map((file) => `made the file ${JSON.stringify(file)}`),
  ...(CONTROLS.test(output)
    ? [`printed U+${output.codePointAt(output.search(CONTROLS))?.toString(16)}`]
    : []),
]

/** Everything that hostile texts did in the outputs. Shell texts run only where they hold one. */
export const checkOutputs = async (
  outputs: readonly Output[],
  {
    sandbox,
    shells,
    isHostile,
  }: {
    sandbox: Sandbox
    shells: readonly ShellName[]
    isHostile: (text: string) => boolean
  },
): Promise<Effect[]> => {
  const effects: Effect[] = []
  const seen = new Set<string>()
  for (const output of outputs) {
    if (output.format === 'data' || !isHostile(output.text)) continue
    const key = `${output.format} ${output.text}`
    if (seen.has(key)) continue
    seen.add(key)
    const found = await problemsOf(output.format, output.text)
    if (output.format === 'shell')
      for (const shell of shells)
        found.push(
          ...effectsOf(sandbox.run({ script: output.text, steps: output.steps, shell })).map(
            (what) => `${shell}: ${what}`,
          ),
        )
    for (const what of new Set(found)) effects.push({ output: output.name, what })
  }
  return effects
}
