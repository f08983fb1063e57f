import type { CommandOf } from '@/lib/schemas/agent/command'
import { countFrom } from '../collect/identifiers'
import type { CommandHost } from './command-host'
import type { Done } from './done'
import { refuseHeldDevices } from './holders'
import { Failure, Refusal } from './refusal'

/** Writes `current_vgpu_type` of a VF that no guest names. */
export const setVfioType = async (
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
      `${typeNumber} was written to ${file}, but it holds ${current() ?? 'nothing'}; the kernel's log says why.`,
    )
  return { message: `${address} went from type ${was} to ${typeNumber}.`, output: '', previous: String(was) }
}
