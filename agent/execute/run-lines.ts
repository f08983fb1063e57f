import type { CommandOf } from '@/lib/schemas/agent/command'
import type { CommandHost } from './command-host'
import type { Done } from './execute-command'
import { allMdevs, refuseHeldDevices } from './holders'
import { Failure, Refusal } from './refusal'

const runGiven = async (host: CommandHost, words: readonly string[]): Promise<Done> => {
  const line = words.join(' ')
  const output = await host.run(words)
  if (output === null)
    throw new Failure(
      `There is no program "${words[0] ?? ''}" on this host: set its command line in agent.toml.`,
    )
  return { message: `"${line}" was run.`, output }
}

/** Runs the command line that agent.toml gives. */
export const restartNovaCompute = (host: CommandHost): Promise<Done> =>
  runGiven(host, host.settings.restartNovaCompute)

const virtualFunctionsOf = (host: CommandHost, address: string): string[] => {
  const { files } = host.look()
  const device = `/sys/bus/pci/devices/${address}`
  if (!files.exists(device)) throw new Refusal(`There is no PCI device ${address} on this host.`)
  return (files.names(device) ?? [])
    .filter((name) => /^virtfn\d+$/.test(name))
    .flatMap((name) => files.linkName(`${device}/${name}`) ?? [])
}

/** Enables or disables the VFs of a GPU with NVIDIA's script. */
export const runSriovManage = async (
  host: CommandHost,
  { address, enable }: CommandOf<'run-sriov-manage'>,
): Promise<Done> => {
  const functions = virtualFunctionsOf(host, address)
  if (!enable) {
    const carrier = allMdevs(host).find(({ parent, isActive }) => isActive && functions.includes(parent))
    if (carrier !== undefined)
      throw new Refusal(`${carrier.parent} carries the mdev ${carrier.uuid}: remove it before its VF goes.`)
    refuseHeldDevices(host, functions)
  }
  return runGiven(host, [...host.settings.sriovManage, enable ? '-e' : '-d', address])
}
