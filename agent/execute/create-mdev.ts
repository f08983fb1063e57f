import path from 'node:path'
import type { CommandOf } from '@/lib/schemas/agent/command'
import type { CommandHost } from './command-host'
import type { Done } from './done'
import { allMdevs } from './holders'
import { definitionPath } from './mdev-definition'
import { Failure, Refusal } from './refusal'

type Command = CommandOf<'create-mdev'>

const checkDefinition = ({ definition, typeId }: Command): void => {
  if (definition === null) return
  let parsed: unknown
  try {
    parsed = JSON.parse(definition)
  } catch {
    throw new Refusal('The definition is not JSON.')
  }
  const told =
    typeof parsed === 'object' && parsed !== null && 'mdev_type' in parsed ? parsed.mdev_type : null
  if (told !== typeId) throw new Refusal(`The definition is not of the type ${typeId}.`)
}

const make = async (host: CommandHost, { uuid, typeId, parentAddress }: Command): Promise<void> => {
  const type = `/sys/class/mdev_bus/${parentAddress}/mdev_supported_types/${typeId}`
  const { files } = host.look()
  const place = files.exists(type) ? files.place(type) : null
  if (place === null) throw new Refusal(`${parentAddress} offers no type ${typeId} on this host.`)
  if (files.attribute(`${place}/available_instances`) === '0')
    throw new Refusal(`${parentAddress} has no room for another ${typeId}.`)
  host.writeAttribute(`${place}/create`, uuid)
  if (!(await host.until(() => host.look().files.exists(`/sys/bus/mdev/devices/${uuid}`))))
    throw new Failure(`${uuid} was written to ${place}/create, but no mdev came; the kernel's log says why.`)
}

/** Makes an mdev and writes its definition, as they were before a removal. */
export const createMdev = async (host: CommandHost, command: Command): Promise<Done> => {
  const { uuid, typeId, parentAddress, isActive, definition } = command
  checkDefinition(command)
  const found = allMdevs(host, uuid).find((mdev) => mdev.uuid === uuid)
  if (found !== undefined && (found.parent !== parentAddress || (found.isActive && found.typeId !== typeId)))
    throw new Refusal(
      `mdev ${uuid} is there already, as ${found.typeId ?? 'a definition'} on ${found.parent}.`,
    )
  if (isActive && found?.isActive !== true) await make(host, command)
  const file = definitionPath(parentAddress, uuid)
  if (definition !== null && host.readPlain(file) === null) {
    host.makeFolder('/etc/mdevctl.d')
    host.makeFolder(path.posix.dirname(file))
    host.replaceFile(file, definition)
  }
  const parts = [isActive ? `mdev ${uuid} is there` : null, definition === null ? null : `${file} defines it`]
  return { message: `${parts.filter((part) => part !== null).join('; ')}.`, output: '' }
}
