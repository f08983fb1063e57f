import type { CommandOf } from '@/lib/schemas/agent/command'
import { parseOsloConfig } from '../collect/oslo-config'
import { type CommandHost, sha256 } from './command-host'
import type { Done } from './done'
import { Refusal } from './refusal'

const SECTION = /^(devices|pci|mdev_.+|vgpu_.+)$/i
/** Of sections that hold more than GPUs single options only: CPUs and memory that are kept for servers with GPUs. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  DEFAULT: /^(vcpu_pin_set|reserved_host_cpus|reserved_host_memory_mb)$/,
  compute: /^(cpu_shared_set|cpu_dedicated_set)$/,
}
const HEADER = /^\[(.*)\]\s*$/

/** Refuses text that could hold a secret or change more than GPUs need. Its words are never repeated. */
const checkSections = (text: string, what: string): void => {
  const { options, errors } = parseOsloConfig(text)
  const [error] = errors
  if (error !== undefined)
    throw new Refusal(`${what} can't be read as nova.conf in line ${error.line}: ${error.message}.`)
  const headers = text.split(/\r\n|\r|\n/).flatMap((line) => HEADER.exec(line.trim())?.[1] ?? [])
  const foreign = [...headers, ...options.map(({ section }) => section)].find(
    (name) => !SECTION.test(name) && !Object.hasOwn(OPTIONS, name),
  )
  if (foreign !== undefined)
    throw new Refusal(
      `${what} has the section [${foreign.slice(0, 80)}], and only devices, pci, mdev_*, vgpu_* and the CPU sets may be written.`,
    )
  const stranger = options.find(
    ({ section, name }) => Object.hasOwn(OPTIONS, section) && OPTIONS[section]?.test(name) !== true,
  )
  if (stranger !== undefined)
    throw new Refusal(
      `${what} sets an option of [${stranger.section}] in line ${stranger.line} that may not be written: only CPU sets and reservations may.`,
    )
}

const checkWas = (now: Buffer | null, { was, file }: CommandOf<'write-nova-config'>): void => {
  const seen = now === null ? null : sha256(now)
  if (seen === was) return
  throw new Refusal(
    seen === null
      ? `${file} is not there any more, so it is not what the plan saw.`
      : `${file} holds something else than the plan saw: somebody changed it.`,
  )
}

/** Writes or removes one file of the drop-in folder. What it held before goes back, for the undo. */
export const writeNovaConfig = async (
  host: CommandHost,
  command: CommandOf<'write-nova-config'>,
): Promise<Done> => {
  const { file, content } = command
  const folder = host.settings.novaConfigFolder
  if (!host.look().files.exists(folder))
    throw new Refusal(
      `The drop-in folder ${folder} is not there: make it, or set nova_config_folder in agent.toml.`,
    )
  const target = `${folder.replace(/\/+$/, '')}/${file}`
  if (content !== null) checkSections(content, 'The new content')
  const now = host.readPlain(target)
  const text = now?.toString('utf8') ?? null
  if ((content === null ? null : content) === text)
    return { message: `${target} is as wanted already.`, output: '', previous: text }
  checkWas(now, command)
  if (text !== null) checkSections(text, target)
  if (content === null) host.removeFile(target)
  else host.replaceFile(target, content)
  return {
    message: content === null ? `${target} was removed.` : `${target} was written.`,
    output: '',
    previous: text,
  }
}
