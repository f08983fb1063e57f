import { type CommandMemory, createCommands } from '@/agent/collect/commands'
import { collectDeviceHolders } from '@/agent/collect/device-holders'
import type { FileSystem } from '@/agent/collect/file-system'
import { collectGpus } from '@/agent/collect/gpus'
import { collectGuests, type GuestMemory } from '@/agent/collect/guests'
import { collectHostFacts, hostNameOf } from '@/agent/collect/host-facts'
import { createHostFiles } from '@/agent/collect/host-files'
import { createMdevTypeReader } from '@/agent/collect/mdev-types'
import { collectMdevs } from '@/agent/collect/mdevs'
import { collectNovaApi } from '@/agent/collect/nova-api'
import { collectNovaConfig } from '@/agent/collect/nova-config'
import { collectNovaCompute, findNovaUnit, type NovaProcessMemory } from '@/agent/collect/nova-process'
import { collectNumaNodes } from '@/agent/collect/numa-nodes'
import { nvidiaDriverOf } from '@/agent/collect/nvidia-driver'
import { collectNvidiaSmi } from '@/agent/collect/nvidia-smi'
import { createProblemLog } from '@/agent/collect/problem-log'
import type { SmiTexts } from '@/agent/collect/smi-usage'
import { createTypeTable } from '@/agent/collect/type-table'
import { collectVersions } from '@/agent/collect/versions'
import { DEFAULT_COMMANDS } from '@/agent/execute/command-settings'
import type { GpuDevice, Inventory, NvidiaSmi } from '@/lib/schemas/agent/inventory'

/** What one process keeps between scans so that an unchanged host costs little: never facts, only work already done. */
export type ScanMemory = { guests: GuestMemory; commands: CommandMemory; novaProcess: NovaProcessMemory }

export const createScanMemory = (): ScanMemory => ({
  guests: new Map(),
  commands: new Map(),
  novaProcess: { pid: null },
})

export type ScanOptions = {
  /** Prefixes every path; with another root than `/` nothing is executed. */
  root: string
  hostName?: string | undefined
  /** Files or folders of nova.conf in oslo.config's order, instead of looking for a deployment. */
  novaConfig?: readonly string[] | undefined
  /** Folders with guest XML, instead of the known ones. */
  guestXml?: readonly string[] | undefined
  isNvidiaSmiOff?: boolean | undefined
  /** Names of commands that this host allows; absent when unknown. */
  allowedCommands?: readonly string[] | undefined
  /** Where write-nova-config writes, as agent.toml configures it. */
  novaConfigFolder?: string | undefined
  memory?: ScanMemory | undefined
  /** Given what nvidia-smi printed, or had printed a short while ago. */
  onSmiTexts?: ((texts: SmiTexts) => void) | undefined
  fs?: FileSystem | undefined
}

/** The kernel module names the model first; nvidia-smi helps where /proc is not there. */
const withModelNames = (gpus: GpuDevice[], nvidiaSmi: NvidiaSmi | null): GpuDevice[] => {
  const names = new Map(nvidiaSmi?.gpus.map(({ address, name }) => [address, name]))
  return gpus.map((gpu) => ({ ...gpu, modelName: gpu.modelName ?? names.get(gpu.address) ?? null }))
}

/**
 * Reads one host. Facts are as fresh as their files; a file that cannot be read is a problem and does not affect the rest. An
 * unchanged host gives an equal inventory. Throws `NoHostName` when nothing names the host.
 */
export const scanHost = async (options: ScanOptions): Promise<Inventory> => {
  const memory = options.memory ?? createScanMemory()
  const problems = createProblemLog()
  const open = { root: options.root, ...(options.fs ? { fs: options.fs } : {}) }
  const files = createHostFiles({ ...open, problems })
  // Processes end at any time, which is no problem of the host.
  const processFiles = createHostFiles({ ...open, problems: createProblemLog() })
  const commands = createCommands({ files, problems, memory: memory.commands })
  // Started first: the commands run while the files are read.
  const commandResults = Promise.all([
    collectVersions(files, commands),
    options.isNvidiaSmiOff
      ? null
      : collectNvidiaSmi({ files, problems, commands, onTexts: options.onSmiTexts }),
  ])
  const novaApi = collectNovaApi({ files, problems })
  const novaConfig = collectNovaConfig({
    files,
    problems,
    hasNovaApi: novaApi !== null,
    given: options.novaConfig,
    dropInFolder: options.allowedCommands?.includes('write-nova-config')
      ? (options.novaConfigFolder ?? DEFAULT_COMMANDS.novaConfigFolder)
      : undefined,
  })
  const table = createTypeTable()
  const mdevTypes = createMdevTypeReader({ files, problems, table })
  const gpus = collectGpus({ files, problems, mdevTypes })
  const mdevs = collectMdevs({ files, problems, deployment: novaConfig?.deployment ?? null })
  const guests = collectGuests({ files, problems, folders: options.guestXml, memory: memory.guests })
  const [versions, nvidiaSmi] = await commandResults
  return {
    host: {
      name: hostNameOf({ files, problems, novaConfig, given: options.hostName }),
      ...collectHostFacts(files),
      libvirtVersion: versions.libvirt,
      qemuVersion: versions.qemu,
      nvidiaDriverVersion: nvidiaDriverOf(files) ?? nvidiaSmi?.driverVersion ?? null,
      numaNodes: collectNumaNodes(files),
      ...(options.allowedCommands === undefined
        ? {}
        : { allowedCommands: [...options.allowedCommands].sort() }),
      novaCompute: collectNovaCompute(files, {
        mayBeContained: novaConfig !== null && novaConfig.deployment !== 'package',
        memory: memory.novaProcess,
      }),
      novaUnit: findNovaUnit(files),
      novaApi,
    },
    vgpuTypes: table.types,
    gpus: withModelNames(gpus, nvidiaSmi),
    mdevs,
    guests,
    novaConfig,
    nvidiaSmi,
    deviceHolders: collectDeviceHolders({ files: processFiles, gpus, mdevs, guests }),
    problems: problems.list(),
  }
}
