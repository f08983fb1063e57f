import type { CommandOf } from '@/lib/schemas/agent/command'
import { listGpuDevices } from '../collect/pci-devices'
import type { CommandHost } from './command-host'
import type { Done } from './done'
import { allMdevs, refuseHeldDevices } from './holders'
import { Failure, Refusal } from './refusal'

const DEVICES = '/sys/bus/pci/devices'
const DRIVERS = '/sys/bus/pci/drivers'
const PROBE = '/sys/bus/pci/drivers_probe'

/** `0000:65:00.1` → `0000:65:00`. */
const cardOf = (address: string): string => address.slice(0, address.lastIndexOf('.'))

const driverNow = (host: CommandHost, address: string): string | null => {
  const { files } = host.look()
  const link = `${DEVICES}/${address}/driver`
  return files.exists(link) ? files.linkName(link) : null
}

/** Only a driver that the kernel has: without it the card would be left without any. */
const refuseUnknownDriver = (host: CommandHost, driver: string): void => {
  if (!host.look().files.exists(`${DRIVERS}/${driver}`))
    throw new Refusal(
      `The kernel of this host has no PCI driver ${driver}: load it with "modprobe ${driver}", then retry.`,
    )
}

/** A command is for graphics cards: the disk and the network of the host are not to be had. */
export const refuseOthers = (host: CommandHost, address: string): void => {
  const { files, problems } = host.look()
  if (!files.exists(`${DEVICES}/${address}`))
    throw new Refusal(`There is no PCI device ${address} on this host.`)
  const gpus = listGpuDevices(files, problems) ?? []
  if (!gpus.some((gpu) => cardOf(gpu.address) === cardOf(address)))
    throw new Refusal(`${address} is no GPU and no function of one.`)
}

/** What would go with the driver, or keep it from letting go. */
const refuseCarriers = (host: CommandHost, address: string): void => {
  const hasBus = host.look().files.exists('/sys/bus/mdev')
  const carrier = (hasBus ? allMdevs(host) : []).find(
    ({ parent, isActive }) => isActive && parent === address,
  )
  if (carrier !== undefined)
    throw new Refusal(`${address} carries the mdev ${carrier.uuid}: remove it before its driver goes.`)
  const names = host.look().files.names(`${DEVICES}/${address}`) ?? []
  if (names.some((name) => /^virtfn\d+$/.test(name)))
    throw new Refusal(`${address} has virtual functions: run sriov-manage -d ${address} first.`)
  refuseHeldDevices(host, [address])
}

/** Takes a function of a graphics card from one driver to another. */
export const bindPciDriver = async (
  host: CommandHost,
  { address, driver, was }: CommandOf<'bind-pci-driver'>,
): Promise<Done> => {
  refuseOthers(host, address)
  const now = driverNow(host, address)
  const driverLabel = (name: string | null): string => name ?? 'no driver'
  if (now === driver) return { message: `${address} is bound to ${driverLabel(driver)} already.`, output: '' }
  if (now !== was)
    throw new Refusal(`${address} is bound to ${driverLabel(now)}, the plan saw ${driverLabel(was)}.`)
  if (driver !== null) refuseUnknownDriver(host, driver)
  refuseCarriers(host, address)
  const devicePath = host.look().files.realPath(`${DEVICES}/${address}`)
  if (devicePath === null) throw new Refusal(`There is no PCI device ${address} on this host.`)
  // An empty line takes the override away (drivers/pci/pci-sysfs.c driver_override_store).
  host.writeAttribute(`${devicePath}/driver_override`, driver === null ? '\n' : driver)
  if (now !== null) {
    host.writeAttribute(`${DRIVERS}/${now}/unbind`, address)
    if (!(await host.until(() => driverNow(host, address) !== now)))
      throw new Failure(`${now} does not release ${address}. The kernel log has the reason.`)
  }
  if (driver !== null) {
    host.writeAttribute(PROBE, address)
    if (!(await host.until(() => driverNow(host, address) === driver)))
      throw new Failure(
        `${address} was left by ${driverLabel(now)}, but ${driver} did not take it: see the kernel's log.`,
      )
  }
  return { message: `${address} went from ${driverLabel(now)} to ${driverLabel(driver)}.`, output: '' }
}
