import type { CommandOf } from '@/lib/schemas/agent/command'
import type { CommandHost } from './command-host'
import type { Done } from './done'
import { allMdevs, refuseDriverUse, refuseHeldMdev } from './holders'
import { definitionFile, definitionPath, undefineMdev } from './mdev-definition'
import { Failure, Refusal } from './refusal'

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
      `1 was written to ${devicePath}/remove, but the mdev is still there; the kernel's log says why.`,
    )
}

/** Refuses an mdev that is not the one that the plan saw. */
const checkSame = (host: CommandHost, { uuid, typeId, parentAddress }: Command) => {
  const found = allMdevs(host, uuid).find((mdev) => mdev.uuid === uuid)
  if (found === undefined) return null
  if (found.parent !== parentAddress)
    throw new Refusal(`mdev ${uuid} has the parent ${found.parent}, the command says ${parentAddress}.`)
  const seen = found.isActive ? found.typeId : (found.definition?.typeId ?? null)
  if (seen !== typeId)
    throw new Refusal(`mdev ${uuid} is of the type ${seen ?? 'unknown'}, the command says ${typeId}.`)
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
export const removeMdev = async (host: CommandHost, command: Command): Promise<Done> => {
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
