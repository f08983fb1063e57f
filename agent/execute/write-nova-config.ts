import type { CommandOf } from '@/lib/schemas/agent/command'
import { isWritableOption, malformedOption } from '@/lib/schemas/agent/nova-option-values'
import { parseOsloConfig } from '@/lib/schemas/agent/oslo-config'
import { cleanText } from '../collect/clean-text'
import { type CommandHost, sha256 } from './command-host'
import type { Done } from './done'
import { pathOf } from './own-file'
import { Refusal } from './refusal'

const SECTION = /^(devices|pci|compute|mdev_.+|vgpu_.+)$/i
const HEADER = /^\[(.*)\]\s*$/
/** Control characters other than line breaks and tabs: a file with them looks different from what nova-compute reads. */
const CONTROL = /[^\P{C}\n\r\t]/u

const isSection = (name: string): boolean => name === 'DEFAULT' || SECTION.test(name)

/** Refuses text that could hold a secret or change more than GPUs need. Its values are never repeated. */
const checkContent = (text: string, what: string): void => {
  const { options, errors } = parseOsloConfig(text)
  const [error] = errors
  if (error !== undefined)
    throw new Refusal(`${what} can't be read as nova.conf in line ${error.line}: ${error.message}.`)
  const headers = text.split(/\r\n|\r|\n/).flatMap((line) => HEADER.exec(line.trim())?.[1] ?? [])
  const foreign = [...headers, ...options.map(({ section }) => section)].find((name) => !isSection(name))
  if (foreign !== undefined)
    throw new Refusal(
      `${what} has the section [${cleanText(foreign.slice(0, 80))}], and only devices, pci, mdev_*, vgpu_* and the CPU sets may be written.`,
    )
  if (CONTROL.test(text)) throw new Refusal(`${what} has control characters, and nova.conf may have none.`)
  const stranger = options.find(({ section, name }) => !isWritableOption(section, name))
  if (stranger !== undefined)
    throw new Refusal(
      `${what} sets an option of [${stranger.section}] in line ${stranger.line} that may not be written: only those of vGPU types, PCI devices, CPU sets and reservations may.`,
    )
  for (const option of options) {
    const rule = malformedOption(option)
    if (rule !== null)
      throw new Refusal(
        `${what} has a malformed value in line ${option.line}: [${option.section}] ${option.name} ${rule}.`,
      )
  }
}

const checkWas = (now: Buffer | null, { was, file }: CommandOf<'write-nova-config'>): void => {
  const seen = now === null ? null : sha256(now)
  if (seen === was) return
  throw new Refusal(
    seen === null
      ? `${file} differs from its state at planning: the file does not exist.`
      : `${file} differs from its state at planning.`,
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
  const target = { folder, names: [file] }
  const shown = pathOf(target)
  if (content !== null) checkContent(content, 'The new content')
  const now = host.readPlain(target)
  const text = now?.toString('utf8') ?? null
  if ((content === null ? null : content) === text)
    return { message: `${shown} is as wanted already.`, output: '', previous: text }
  checkWas(now, command)
  if (text !== null) checkContent(text, shown)
  if (content === null) host.removeFile(target)
  else host.replaceFile(target, content)
  return {
    message: content === null ? `${shown} was removed.` : `${shown} was written.`,
    output: '',
    previous: text,
  }
}
