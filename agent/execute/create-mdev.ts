import type { CommandOf } from '@/lib/schemas/agent/command'
import { definitionText, type MdevDefinition, readDefinitionText } from '@/lib/schemas/agent/mdev-definition'
import type { CommandHost } from './command-host'
import type { Done } from './done'
import { allMdevs } from './holders'
import { definitionFile } from './mdev-definition'
import { pathOf } from './own-file'
import { Failure, Refusal } from './refusal'

type Command = CommandOf<'create-mdev'>

/** What is to be defined, from the type and the start alone: mdevctl writes attributes as root to paths of their names. */
const definitionOf = ({ definition: text, typeId, uuid }: Command): MdevDefinition | null => {
  if (text === null) return null
  const read = readDefinitionText(text)
  if (read.kind === 'attributes')
    throw new Refusal(
      `The definition of mdev ${uuid} has more than its type and start, such as attributes, and the agent writes only these: define it with "mdevctl define --jsonfile".`,
    )
  if (read.kind === 'malformed')
    throw new Refusal(`The definition of mdev ${uuid} is not JSON that mdevctl takes.`)
  if (read.definition.typeId !== typeId) throw new Refusal(`The definition is not of the type ${typeId}.`)
  return read.definition
}

/** Folder of the type on the parent, as sysfs has it. */
const offeredType = (host: CommandHost, { typeId, parentAddress }: Command): string => {
  const { files } = host.look()
  const parent = `/sys/class/mdev_bus/${parentAddress}`
  if (!files.exists(parent)) throw new Refusal(`There is no mdev parent ${parentAddress} on this host.`)
  const type = `${parent}/mdev_supported_types/${typeId}`
  const typePath = files.exists(type) ? files.realPath(type) : null
  if (typePath === null) throw new Refusal(`${parentAddress} offers no type ${typeId} on this host.`)
  return typePath
}

const create = async (host: CommandHost, typePath: string, command: Command): Promise<void> => {
  const { uuid, typeId, parentAddress } = command
  if (host.look().files.attribute(`${typePath}/available_instances`) === '0')
    throw new Refusal(`${parentAddress} has no free capacity for another ${typeId}.`)
  host.writeAttribute(`${typePath}/create`, uuid)
  if (!(await host.until(() => host.look().files.exists(`/sys/bus/mdev/devices/${uuid}`))))
    throw new Failure(
      `${uuid} was written to ${typePath}/create, but no mdev was created. See the kernel log for the reason.`,
    )
}

/** Recreates an mdev and its definition, as they were before a removal. */
export const createMdev = async (host: CommandHost, command: Command): Promise<Done> => {
  const { uuid, typeId, parentAddress, isActive } = command
  const definition = definitionOf(command)
  if (!isActive && definition === null)
    throw new Refusal(`The command neither creates nor defines mdev ${uuid}.`)
  const found = allMdevs(host, uuid).find((mdev) => mdev.uuid === uuid)
  if (found !== undefined && (found.parent !== parentAddress || (found.isActive && found.typeId !== typeId)))
    throw new Refusal(
      `mdev ${uuid} is there already, as ${found.typeId ?? 'a definition'} on ${found.parent}.`,
    )
  const typePath = offeredType(host, command)
  const file = definitionFile(parentAddress, uuid)
  // Before anything is created: a folder that is a link is refused here.
  const isDefined = host.readPlain(file) !== null
  if (isActive && found?.isActive !== true) await create(host, typePath, command)
  if (definition !== null && !isDefined) {
    host.makeFolders(file)
    host.replaceFile(file, definitionText(definition))
  }
  const parts = [
    isActive ? `mdev ${uuid} is there` : null,
    definition === null ? null : `${pathOf(file)} defines it`,
  ]
  return { message: `${parts.filter((part) => part !== null).join('; ')}.`, output: '' }
}
