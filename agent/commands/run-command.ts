import path from 'node:path'
import { isTokenText } from '../enroll/join-token'
import { AgentSettingError } from '../enroll/setting-error'
import { type CommandSettings, checkOnlyRootWrites, DEFAULT_COMMANDS } from '../execute/command-settings'
import { parseOptions, UsageError } from './parse-options'
import { type RunOptions, runAgent } from './run'
import { createAgentLog } from './run-log'
import { type AgentFile, DEFAULT_CONFIG_FILE, readAgentFile, readCaFile } from './run-settings'

const HELP = `Usage: sliceboard-agent run [OPTION…]

Reports this host to the console until stopped. Options win over ${DEFAULT_CONFIG_FILE}.

  --server URL        address of the console (server)
  --hostname NAME     name of the host, when it is not found automatically (host_name)
  --token-file FILE   file with the join token (join_token_file); - reads it from standard input
  --token TOKEN       deprecated: other users of the host can read a command line
  --state-dir DIR     credential, counters and unsent reports; default /var/lib/sliceboard (state_directory)
  --ca-file FILE      certificates to check the console's against (ca_file)
  --interval SECONDS  pace until the console sets it (interval_seconds)
  --config FILE       settings; default ${DEFAULT_CONFIG_FILE}
  --root DIR          read the tree below DIR instead of this host; nothing is executed then
  --once              report once and end: status 0 delivered, 1 not delivered and kept

Exit status 78: a setting is wrong and only you can put it right.
`

const OPTIONS = {
  server: { type: 'string' },
  hostname: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  'state-dir': { type: 'string' },
  'ca-file': { type: 'string' },
  interval: { type: 'string' },
  config: { type: 'string' },
  root: { type: 'string' },
  once: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const TOKEN_ARGUMENT =
  'The option --token is deprecated and will be removed: other users of this host can read it in the process list. Use --token-file FILE, or --token-file - to read the join token from standard input.'
const EXIT_SETTING = 78
const DEFAULT_STATE_DIRECTORY = '/var/lib/sliceboard'
const MEBIBYTE = 1024 * 1024

/** `run`: exit status 0 after a stop or a delivered `--once`, 1 undelivered, 78 for a wrong setting. */
export const runCommand = async (words: string[], beforeScan?: () => void): Promise<number> => {
  const write = (text: string) => process.stderr.write(text)
  const log = createAgentLog(write)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, onSignal)
  try {
    const settings = await resolveRunSettings(words)
    if (settings === 'help') {
      process.stdout.write(HELP)
      return 0
    }
    if (words.some((word) => /^--token(=|$)/.test(word))) log.warn(TOKEN_ARGUMENT)
    const result = await runAgent({ ...settings, beforeScan, signal: stop.signal, log })
    return result === 'undelivered' ? 1 : 0
  } catch (error) {
    if (!(error instanceof AgentSettingError)) throw error
    log.warn(error.message)
    return EXIT_SETTING
  } finally {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.removeListener(name, onSignal)
  }
}

type RunSettings = Omit<RunOptions, 'beforeScan' | 'signal' | 'log'>

/** Command line over settings file over defaults. */
export const resolveRunSettings = async (
  words: string[],
  input: AsyncIterable<Buffer | string> = process.stdin,
): Promise<RunSettings | 'help'> => {
  const flags = parseOptions('run', words, OPTIONS)
  if (flags.help === true) return 'help'
  const configFile = flags.config ?? DEFAULT_CONFIG_FILE
  const file = await readAgentFile(configFile, { isOptional: flags.config === undefined })
  const commands = commandSettings(file)
  if (commands.allow.length > 0) await checkOnlyRootWrites(configFile)
  const serverUrl = flags.server ?? file.server
  if (serverUrl === undefined)
    throw new AgentSettingError(
      `The console's address is missing: set "server" in ${configFile} or give --server.`,
    )
  const caFile = flags['ca-file'] ?? file.ca_file
  return {
    root: flags.root === undefined ? '/' : path.resolve(flags.root),
    hostName: flags.hostname ?? file.host_name,
    stateDirectory: absolute(flags['state-dir']) ?? file.state_directory ?? DEFAULT_STATE_DIRECTORY,
    serverUrl,
    ca: caFile === undefined ? undefined : await readCaFile(caFile),
    joinToken: flags['token-file'] === '-' ? await readTokenFromInput(input) : checkToken(flags.token),
    joinTokenFile:
      flags['token-file'] === '-' ? undefined : (absolute(flags['token-file']) ?? file.join_token_file),
    intervalSeconds: parseInterval(flags.interval) ?? file.interval_seconds,
    isOnce: flags.once,
    spool: spoolLimits(file),
    commands,
    scan: {
      novaConfig: file.scan?.nova_config,
      guestXml: file.scan?.guest_xml,
      isNvidiaSmiOff: file.scan?.nvidia_smi === false,
    },
  }
}

/** Without the token in the sentence, which goes into logs. */
const checkToken = (text: string | undefined): string | undefined => {
  if (text === undefined || isTokenText(text)) return text
  throw new AgentSettingError(
    '--token must be one word, the join token as the console shows it: copy it from the console again (Settings, Agents).',
  )
}

/** More than any token has. */
const MAX_INPUT = 4096

const readTokenFromInput = async (input: AsyncIterable<Buffer | string>): Promise<string> => {
  let text = ''
  for await (const chunk of input) {
    text += String(chunk)
    if (text.length > MAX_INPUT) break
  }
  const token = text.trim()
  if (isTokenText(token)) return token
  throw new AgentSettingError(
    'Standard input must hold the join token and nothing else (--token-file -): copy the token from the console again (Settings, Agents).',
  )
}

const absolute = (given: string | undefined) => (given === undefined ? undefined : path.resolve(given))

const spoolLimits = ({ spool }: AgentFile) => ({
  maxBytes: spool?.max_bytes ?? 64 * MEBIBYTE,
  maxReports: spool?.max_reports ?? 10_000,
})

const commandSettings = ({ commands }: AgentFile): CommandSettings => ({
  allow: [...new Set(commands?.allow ?? DEFAULT_COMMANDS.allow)],
  novaConfigFolder: commands?.nova_config_folder ?? DEFAULT_COMMANDS.novaConfigFolder,
  restartNovaCompute: commands?.restart_nova_compute ?? DEFAULT_COMMANDS.restartNovaCompute,
  sriovManage: commands?.sriov_manage ?? DEFAULT_COMMANDS.sriovManage,
})

const parseInterval = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (/^[0-9]{1,4}$/.test(text) && seconds >= 1 && seconds <= 3600) return seconds
  throw new UsageError(`--interval "${text}" must be a whole number of seconds from 1 to 3600.`)
}
