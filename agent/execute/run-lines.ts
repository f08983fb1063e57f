import type { CommandOf } from '@/lib/schemas/agent/command'
import { findNovaUnit } from '../collect/nova-process'
import { refuseOthers } from './bind-pci-driver'
import type { CommandHost } from './command-host'
import type { Done } from './done'
import { allMdevs, findGpu, refuseHeldDevices } from './holders'
import { Failure, Refusal, TimedOut } from './refusal'

const runGiven = async (host: CommandHost, words: readonly string[]): Promise<Done> => {
  const line = words.join(' ')
  const output = await host.run(words)
  if (output === null)
    throw new Failure(
      `There is no program "${words[0] ?? ''}" on this host: set its command line in agent.toml.`,
    )
  return { message: `"${line}" was run.`, output }
}

/** `manager_shutdown_timeout` of nova/conf/base.py, which nova/compute/manager.py graceful_shutdown waits for. */
const AFTER_TIMEOUT =
  'The restart may still be in progress. Check the state and the log of nova-compute on this host: from Nova 33 on it waits 160 s for its tasks before it ends ([DEFAULT] manager_shutdown_timeout).'

/** That of the unit that was found. Throws `Refusal` for a unit of a user, which root's systemctl does not reach. */
const restartLine = (host: CommandHost): readonly string[] => {
  const unit = findNovaUnit(host.look().files)
  if (unit !== null && unit.userId !== null)
    throw new Refusal(
      `nova-compute runs as ${unit.name} of the user ${unit.userId}: set restart_nova_compute in agent.toml.`,
    )
  return ['systemctl', 'restart', unit?.name ?? 'nova-compute']
}

/** Runs the command line of agent.toml, or restarts the unit that runs nova-compute. */
export const restartNovaCompute = async (host: CommandHost): Promise<Done> => {
  try {
    return await runGiven(host, host.settings.restartNovaCompute ?? restartLine(host))
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error
    throw new TimedOut(`${error.message} ${AFTER_TIMEOUT}`, error.output)
  }
}

const virtualFunctionsOf = (host: CommandHost, address: string): string[] => {
  const { files } = host.look()
  const device = `/sys/bus/pci/devices/${address}`
  if (!files.exists(device)) throw new Refusal(`There is no PCI device ${address} on this host.`)
  return (files.names(device) ?? [])
    .filter((name) => /^virtfn\d+$/.test(name))
    .flatMap((name) => files.linkName(`${device}/${name}`) ?? [])
}

/** sriov-manage rebinds the card, which removes its GPU instances and all that runs on them. */
const refuseGpuInstances = async (host: CommandHost, address: string): Promise<void> => {
  const gpu = await findGpu(host, address)
  if (gpu?.migMode === 'enabled' && gpu.gpuInstances == null)
    throw new Refusal(
      `The GPU instances of ${address} could not be read, and sriov-manage would remove them: check "nvidia-smi mig -lgi" on this host.`,
    )
  const count = gpu?.gpuInstances?.length ?? 0
  if (count > 0)
    throw new Refusal(
      `${address} has ${count} GPU ${count === 1 ? 'instance' : 'instances'}, which sriov-manage removes: enable the VFs before GPU instances are created.`,
    )
}

/** Enables or disables the VFs of a GPU with NVIDIA's script. */
export const runSriovManage = async (
  host: CommandHost,
  { address, enable }: CommandOf<'run-sriov-manage'>,
): Promise<Done> => {
  refuseOthers(host, address)
  const functions = virtualFunctionsOf(host, address)
  if (!enable) {
    // With vendor VFIO alone the kernel has no mdev bus, and no mdevs.
    const mdevs = host.look().files.exists('/sys/bus/mdev') ? allMdevs(host) : []
    const carrier = mdevs.find(({ parent, isActive }) => isActive && functions.includes(parent))
    if (carrier !== undefined)
      throw new Refusal(`${carrier.parent} carries the mdev ${carrier.uuid}: remove it before its VF goes.`)
    refuseHeldDevices(host, functions)
  } else await refuseGpuInstances(host, address)
  const done = await runGiven(host, [...host.settings.sriovManage, enable ? '-e' : '-d', address])
  if (!(await host.until(() => virtualFunctionsOf(host, address).length > 0 === enable)))
    throw new Failure(
      `sriov-manage ended, and ${address} still has ${enable ? 'no' : 'its'} VFs; a program that uses the driver, as nvidia-smi in a loop, keeps it from its lock.`,
      done.output,
    )
  return done
}
