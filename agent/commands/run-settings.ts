import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse, TomlError } from 'smol-toml'
import * as z from 'zod/mini'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import { hostNameSchema } from '@/lib/schemas/agent/primitives'
import { isMissing } from '../enroll/credential-file'
import { AgentSettingError } from '../enroll/setting-error'
import { reasonOf } from './run-log'

const absolutePath = z.string('must be a text').check(z.regex(/^\//, 'must be an absolute path'))
const hostPaths = z.array(absolutePath, 'must be a list of absolute paths')
const wholeNumber = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.int(rule).check(z.gte(min, rule), z.lte(max, rule))
}

const commandName = z.enum(COMMAND_NAMES, `must be one of ${COMMAND_NAMES.join(', ')}`)
const commandLine = z
  .array(
    z.string('must be a list of words').check(z.minLength(1, 'must have no empty word')),
    'must be a list of words',
  )
  .check(z.minLength(1, 'must name a program'))

/** `/etc/sliceboard/agent.toml`, names as in the file. Secrets have no place in it. */
const fileSchema = z.strictObject({
  server: z.optional(z.string('must be a text')),
  host_name: z.optional(hostNameSchema),
  interval_seconds: z.optional(wholeNumber(1, 3600)),
  state_directory: z.optional(absolutePath),
  ca_file: z.optional(absolutePath),
  join_token_file: z.optional(absolutePath),
  spool: z.optional(
    z.strictObject({
      max_bytes: z.optional(wholeNumber(2_097_152, 68_719_476_736)),
      max_reports: z.optional(wholeNumber(10, 1_000_000)),
    }),
  ),
  scan: z.optional(
    z.strictObject({
      nova_config: z.optional(hostPaths),
      guest_xml: z.optional(hostPaths),
      nvidia_smi: z.optional(z.boolean('must be true or false')),
    }),
  ),
  commands: z.optional(
    z.strictObject({
      allow: z.optional(z.array(commandName, 'must be a list of command names')),
      nova_config_folder: z.optional(absolutePath),
      restart_nova_compute: z.optional(commandLine),
      sriov_manage: z.optional(commandLine),
    }),
  ),
})

export type AgentFile = z.infer<typeof fileSchema>

export const DEFAULT_CONFIG_FILE = '/etc/sliceboard/agent.toml'

/** Settings of the file; empty when `isOptional` and there is none. Throws AgentSettingError with field, value and rule. */
export const readAgentFile = async (
  file: string,
  { isOptional }: { isOptional: boolean },
): Promise<AgentFile> => {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isOptional && isMissing(error)) return {}
    throw new AgentSettingError(`The settings ${file} cannot be read: ${reasonOf(error)}.`)
  }
  const settings = parseToml(text, file)
  const parsed = fileSchema.safeParse(settings)
  if (parsed.success) return parsed.data
  throw new AgentSettingError(
    `The settings ${file} are wrong: ${describeIssue(parsed.error.issues[0], settings)}`,
  )
}

/** Text of a PEM file, such as a private certificate authority. */
export const readCaFile = async (file: string): Promise<string> => {
  try {
    const text = await readFile(path.resolve(file), 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  } catch (error) {
    throw new AgentSettingError(`The certificates "ca_file" ${file} cannot be read: ${reasonOf(error)}.`)
  }
  throw new AgentSettingError(`The file "ca_file" ${file} holds no certificate in PEM form.`)
}

// The parser's message shows lines of the file, and a misplaced secret with them: only the position is reported.
const parseToml = (text: string, file: string): unknown => {
  try {
    return parse(text)
  } catch (error) {
    const position =
      error instanceof TomlError ? `line ${error.line}, column ${error.column}` : 'unknown place'
    throw new AgentSettingError(`The settings ${file} are not TOML (${position}).`)
  }
}

const describeIssue = (issue: z.core.$ZodIssue | undefined, settings: unknown): string => {
  if (issue === undefined) return 'unknown reason.'
  if (issue.code === 'unrecognized_keys')
    return `"${[...issue.path, issue.keys[0]].join('.')}" is not a setting of this agent.`
  const value = JSON.stringify(valueAt(settings, issue.path)) ?? 'absent'
  return `"${issue.path.join('.')}" is ${value.slice(0, 80)} and ${issue.message}.`
}

const valueAt = (settings: unknown, keys: readonly PropertyKey[]): unknown =>
  keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    settings,
  )
