import {
  type AgentCommand,
  agentCommandSchema,
  COMMAND_LIMITS,
  type CommandOf,
  type CommandResult,
} from '@/lib/schemas/agent/command'
import { isWritableOption, malformedOption } from '@/lib/schemas/agent/nova-option-values'
import { parseOsloConfig } from '@/lib/schemas/agent/oslo-config'
import { cleanText } from '../collect/clean-text'
import { countFrom } from '../collect/identifiers'
import { bindPciDriver } from './bind-pci-driver'
import { type CommandHost, sha256 } from './command-host'
import { createMdev } from './create-mdev'
import type { Done } from './done'
import { allMdevs, refuseDriverUse, refuseHeldDevices, refuseHeldMdev } from './holders'
import { definitionFile, definitionPath, undefineMdev } from './mdev-definition'
import { pathOf } from './own-file'
import { Failure, Refusal } from './refusal'
import { restartNovaCompute, runSriovManage } from './run-lines'
import { writeProviderConfig } from './write-provider-config'

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
const writeNovaConfig = async (host: CommandHost, command: CommandOf<'write-nova-config'>): Promise<Done> => {
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

type Command = CommandOf<'remove-mdev'>

const DEVICES = '/sys/bus/mdev/devices'

const isActive = (host: CommandHost, uuid: string): boolean => host.look().files.exists(`${DEVICES}/${uuid}`)

/** Writes 1 to `remove` and waits until the device is gone. */
const destroy = async (host: CommandHost, uuid: string): Promise<void> => {
  const devicePath = host.look().files.realPath(`${DEVICES}/${uuid}`)
  if (devicePath === null) return
  host.writeAttribute(`${devicePath}/remove`, '1')
  if (!(await host.until(() => !isActive(host, uuid))))
    throw new Failure(
      `1 was written to ${devicePath}/remove, but the mdev still exists. The kernel log has the reason.`,
    )
}

/** Refuses an mdev that is not the one that the plan saw. */
const checkSame = (host: CommandHost, { uuid, typeId, parentAddress }: Command) => {
  const found = allMdevs(host, uuid).find((mdev) => mdev.uuid === uuid)
  if (found === undefined) return null
  if (found.parent !== parentAddress)
    throw new Refusal(`mdev ${uuid} has the parent ${found.parent}, but the command has ${parentAddress}.`)
  const seen = found.isActive ? found.typeId : (found.definition?.typeId ?? null)
  if (seen !== typeId)
    throw new Refusal(`mdev ${uuid} has the type ${seen ?? 'unknown'}, but the command has ${typeId}.`)
  if (found.definition !== null && found.definition.path !== definitionPath(parentAddress, uuid))
    throw new Refusal(
      `mdev ${uuid} is defined in ${found.definition.path} and not in ${definitionPath(parentAddress, uuid)}: remove that one by hand first.`,
    )
  return found
}

/** Address of the card of an mdev's parent: its PF where it is a VF. */
const cardOf = (host: CommandHost, parent: string): string => {
  const { files } = host.look()
  return files.linkName(`/sys/bus/pci/devices/${parent}/physfn`) ?? parent
}

/** Destroys and undefines an mdev that nothing uses. One that is gone already is done. */
const removeMdev = async (host: CommandHost, command: Command): Promise<Done> => {
  const { uuid, parentAddress } = command
  const found = checkSame(host, command)
  if (found === null) return { message: `mdev ${uuid} was gone already.`, output: '', previous: null }
  const definition = host.readPlain(definitionFile(parentAddress, uuid))
  refuseHeldMdev(host, uuid)
  if (found.isActive) await refuseDriverUse(host, { uuid, card: cardOf(host, parentAddress) })
  // Last of all checks, as close to the act as it can be.
  refuseHeldMdev(host, uuid)
  if (found.isActive) await destroy(host, uuid)
  const parts = [found.isActive ? `mdev ${uuid} was removed` : `mdev ${uuid} was not active`]
  let output = ''
  if (definition !== null) {
    const undefined_ = await undefineMdev(host, { parent: parentAddress, uuid })
    parts.push(undefined_.how)
    output = undefined_.output
  }
  return { message: `${parts.join('; ')}.`, output, previous: definition?.toString('utf8') ?? null }
}

/** Writes `current_vgpu_type` of a VF that no guest names. */
const setVfioType = async (
  host: CommandHost,
  { address, typeNumber, was }: CommandOf<'set-vfio-type'>,
): Promise<Done> => {
  const device = `/sys/bus/pci/devices/${address}`
  const { files } = host.look()
  const devicePath = files.exists(device) ? files.realPath(device) : null
  const file = `${devicePath ?? device}/nvidia/current_vgpu_type`
  const current = () => countFrom(host.look().files.attribute(file))
  const now = current()
  if (now === null) throw new Refusal(`${address} has no current_vgpu_type on this host.`)
  if (now === typeNumber)
    return { message: `${address} is on type ${typeNumber} already.`, output: '', previous: String(was) }
  if (now !== was) throw new Refusal(`${address} is on type ${now}, the plan saw ${was}.`)
  refuseHeldDevices(host, [address])
  host.writeAttribute(file, String(typeNumber))
  if (!(await host.until(() => current() === typeNumber)))
    throw new Failure(
      `${typeNumber} was written to ${file}, but it holds ${current() ?? 'nothing'}. The kernel log has the reason.`,
    )
  return { message: `${address} went from type ${was} to ${typeNumber}.`, output: '', previous: String(was) }
}

type ResultContent = Omit<CommandResult, 'id'>

const carryOut = (host: CommandHost, command: AgentCommand): Promise<Done> => {
  switch (command.name) {
    case 'remove-mdev':
      return removeMdev(host, command)
    case 'create-mdev':
      return createMdev(host, command)
    case 'write-nova-config':
      return writeNovaConfig(host, command)
    case 'restart-nova-compute':
      return restartNovaCompute(host)
    case 'set-vfio-type':
      return setVfioType(host, command)
    case 'run-sriov-manage':
      return runSriovManage(host, command)
    case 'bind-pci-driver':
      return bindPciDriver(host, command)
    case 'write-provider-config':
      return writeProviderConfig(host, command)
  }
}

/** A result within the contract's limits; of a long output the end is more useful than the beginning. */
const boundedResult = <Result extends ResultContent>(result: Result): Result => ({
  ...result,
  message: result.message.slice(0, COMMAND_LIMITS.messageCharacters),
  output: cleanText(result.output).slice(-COMMAND_LIMITS.outputCharacters),
})

const failed = (error: unknown): ResultContent => {
  if (error instanceof Refusal) return { outcome: 'refused', message: error.message, output: '' }
  const message = error instanceof Error ? error.message : String(error)
  return { outcome: 'failed', message, output: error instanceof Failure ? error.output : '' }
}

/** Which member of a command breaks which rule. Its value is not repeated. */
const whyMalformed = ({
  issues: [issue],
}: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[]
}) => `The command is malformed: ${issue?.path.join('.') || 'it'} ${issue?.message ?? 'has another form'}.`

/** Re-checks on the host and carries a command out. Does not reject: what went wrong is the outcome. */
export const executeCommand = async (host: CommandHost, command: AgentCommand): Promise<ResultContent> => {
  if (!host.settings.allow.includes(command.name))
    return {
      outcome: 'refused',
      message: `This host does not allow ${command.name}: its /etc/sliceboard/agent.toml lists what it allows.`,
      output: '',
    }
  const checked = agentCommandSchema.safeParse(command)
  if (!checked.success)
    return boundedResult({ outcome: 'refused', message: whyMalformed(checked.error), output: '' })
  try {
    return boundedResult({ outcome: 'done' as const, ...(await carryOut(host, checked.data)) })
  } catch (error) {
    return boundedResult(failed(error))
  }
}
