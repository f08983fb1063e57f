import { join } from 'node:path'
import { type CloudProblem, parseYaml, readIfReadable, type YamlSource } from './yaml-source'

export type SearchInput = {
  environment: Readonly<Record<string, string | undefined>>
  workingDirectory: string
  homeDirectory: string
  systemDirectory: string
}

type FileKind = { stem: string; variable: string }

export const CLOUDS: FileKind = { stem: 'clouds', variable: 'OS_CLIENT_CONFIG_FILE' }
export const SECURE: FileKind = { stem: 'secure', variable: 'OS_CLIENT_SECURE_FILE' }
export const VENDORS: FileKind = { stem: 'clouds-public', variable: 'OS_CLIENT_VENDOR_FILE' }

/** Where openstacksdk looks, in its order; the first file that can be read is taken. */
const listPlaces = (input: SearchInput, { stem, variable }: FileKind): string[] => {
  const named = input.environment[variable]
  const configHome = input.environment.XDG_CONFIG_HOME || join(input.homeDirectory, '.config')
  const folders = [
    input.workingDirectory,
    join(configHome, 'openstack'),
    join(input.homeDirectory, '.config', 'openstack'),
    input.systemDirectory,
  ]
  const files = [...new Set(folders)].flatMap((folder) =>
    ['yaml', 'yml', 'json'].map((ending) => join(folder, `${stem}.${ending}`)),
  )
  return named ? [named, ...files] : files
}

export type FoundFile = { source: YamlSource | null; problems: CloudProblem[]; file: string | null }

/** The first readable file of its kind; a file that an environment variable names and that is missing is a problem. */
export const findConfigFile = async (input: SearchInput, kind: FileKind): Promise<FoundFile> => {
  const problems: CloudProblem[] = []
  const named = input.environment[kind.variable]
  for (const file of listPlaces(input, kind)) {
    const text = await readIfReadable(file)
    if (text === null) {
      if (file === named) {
        problems.push({
          file,
          line: null,
          message: `${kind.variable} names this file, which is missing or can't be read.`,
        })
      }
      continue
    }
    if (typeof text !== 'string') return { source: null, problems: [...problems, text], file }
    const parsed = parseYaml({ file, text })
    if ('message' in parsed) return { source: null, problems: [...problems, parsed], file }
    return { source: parsed, problems, file }
  }
  return { source: null, problems, file: null }
}
