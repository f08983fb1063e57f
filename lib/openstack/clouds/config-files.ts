import { join } from 'node:path'
import { type CloudProblem, parseYaml, readIfReadable, type Unreadable, type YamlSource } from './yaml-source'

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

/** Folders of the machine in addition to /etc/openstack (platformdirs: site_config_dir). */
const siteFolders = ({ environment }: SearchInput): string[] =>
  (environment.XDG_CONFIG_DIRS || '/etc/xdg').split(':').map((folder) => join(folder, 'openstack'))

/** Where openstacksdk looks, in its order (openstack/config/loader.py: CONFIG_SEARCH_PATH). */
const listLocations = (input: SearchInput, { stem, variable }: FileKind): string[] => {
  const named = input.environment[variable]
  const configHome = input.environment.XDG_CONFIG_HOME || join(input.homeDirectory, '.config')
  const folders = [
    input.workingDirectory,
    join(configHome, 'openstack'),
    join(input.homeDirectory, '.config', 'openstack'),
    ...siteFolders(input),
    input.systemDirectory,
  ]
  const files = [...new Set(folders)].flatMap((folder) =>
    ['yaml', 'yml', 'json'].map((ending) => join(folder, `${stem}.${ending}`)),
  )
  return named ? [named, ...files] : files
}

export type FoundFile = {
  source: YamlSource | null
  problems: CloudProblem[]
  file: string | null
  /** Folders that could not be searched before the file was found. */
  closedFolders: CloudProblem[]
}

const toProblem = ({ file, line, message }: Unreadable): CloudProblem => ({ file, line, message })

const firstByMessage = (problems: readonly CloudProblem[]): CloudProblem[] => [
  ...new Map([...problems].reverse().map((problem) => [problem.message, problem])).values(),
]

/**
 * The first readable file of its kind. openstacksdk passes over a file that it may not read; here that is a problem too, and
 * so is a file that an environment variable names and that is missing.
 */
export const findConfigFile = async (input: SearchInput, kind: FileKind): Promise<FoundFile> => {
  const problems: CloudProblem[] = []
  const closed: CloudProblem[] = []
  const named = input.environment[kind.variable]
  for (const file of listLocations(input, kind)) {
    const text = await readIfReadable(file)
    if (typeof text === 'string') {
      const parsed = parseYaml({ file, text })
      const isBroken = 'message' in parsed
      return {
        source: isBroken ? null : parsed,
        problems: isBroken ? [...problems, parsed] : problems,
        file,
        closedFolders: firstByMessage(closed),
      }
    }
    if (file === named) {
      const message = `${kind.variable} names this file, which is missing or can't be read.`
      problems.push({ file, line: null, message })
    } else if (text?.isCertain === true) problems.push(toProblem(text))
    else if (text !== null) closed.push(toProblem(text))
  }
  return { source: null, problems, file: null, closedFolders: firstByMessage(closed) }
}
