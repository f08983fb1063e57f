import { readdirSync } from 'node:fs'
import path from 'node:path'
import { vi } from 'vitest'
import { NAIVE_ENCODERS } from './naive-encoders'

const FOLDER = 'lib/util/encode'

/** Exports that are no encoders: tags and separators, which take encoded text, and parts of encoders. */
const NO_ENCODERS = [
  ...['sh', 'hcl', 'http', 'md', 'novaConf', 'prometheus', 'slack', 'systemd', 'yaml'],
  ...[
    'trusted',
    'tagFor',
    'joinEncoded',
    'encodedLines',
    'storedText',
    'utcText',
    'shellProgram',
    'trimmedEnd',
  ],
  // File names, which have separate tests, and jsonText with a line feed.
  ...['safeFileName', 'contentDisposition', 'jsonLine'],
  // What markdownCode consists of.
  'markdownCodeInSteps',
  ...['visible', 'visibleLines', 'codePointText', 'escapeUnsafe', 'withoutTemplates'],
]

/** The encoder that is switched off; null: all encode. */
export const switchedOff: { name: string | null } = { name: null }

type AnyFunction = (...args: never[]) => unknown

const switchable =
  (name: string, encoder: AnyFunction): AnyFunction =>
  (...args) =>
    (switchedOff.name === name ? (NAIVE_ENCODERS[name] ?? encoder) : encoder)(...args)

/** Modules that are loaded from now on get encoders that can be switched off. Resolves to the names of all of them. */
export const switchEncoders = async (): Promise<string[]> => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const names: string[] = []
  vi.resetModules()
  for (const file of files) {
    const module = path.resolve(FOLDER, file)
    const real = await vi.importActual<Record<string, AnyFunction>>(module)
    const encoders = Object.keys(real).filter((name) => !NO_ENCODERS.includes(name))
    names.push(...encoders)
    vi.doMock(module, () => ({
      ...real,
      ...Object.fromEntries(encoders.map((name) => [name, switchable(name, real[name] as AnyFunction)])),
    }))
  }
  return names
}
