import {
  type AgentCommand,
  agentCommandSchema,
  COMMAND_LIMITS,
  type CommandResult,
} from '@/lib/schemas/agent/command'
import { cleanText } from '../collect/clean-text'
import { bindPciDriver } from './bind-pci-driver'
import type { CommandHost } from './command-host'
import { createMdev } from './create-mdev'
import type { Done } from './done'
import { Failure, Refusal } from './refusal'
import { removeMdev } from './remove-mdev'
import { restartNovaCompute, runSriovManage } from './run-lines'
import { setVfioType } from './set-vfio-type'
import { writeNovaConfig } from './write-nova-config'
import { writeProviderConfig } from './write-provider-config'

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
