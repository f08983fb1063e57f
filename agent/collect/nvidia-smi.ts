import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { firstLine } from './clean-text'
import { type Commands, failureText } from './commands'
import type { HostFiles } from './host-files'
import { canonicalAddress } from './identifiers'
import type { ProblemLog } from './problem-log'
import { type GpuInstance, NO_INSTANCES, parseGpuInstances } from './smi-instances'
import { MAX_AGE_MS, readSmiLog, type SmiRun } from './smi-log'
import { fromQuery, fromTable, type SmiGpu, type SmiOutput } from './smi-output'
import type { SmiTexts } from './smi-usage'
import { parseVgpuTypes } from './smi-vgpu-types'

/** While it is there, nvidia-smi is not run: an NVML client keeps sriov-manage from its lock. */
export const PAUSE_FILE = '/run/sliceboard/pause-nvidia-smi'

const PROC_GPUS = '/proc/driver/nvidia/gpus'

/** The contract's bounds. */
const MAX_GPUS = 256
const MAX_INSTANCES = 64

/** Facts of the GPUs from the first, vGPUs from the second; either may be missing. */
const merged = (gpuOutput: SmiOutput | null, vgpuOutput: SmiOutput | null): NvidiaSmi | null => {
  if (gpuOutput === null && vgpuOutput === null) return null
  const addresses = new Set([...(gpuOutput?.gpus.keys() ?? []), ...(vgpuOutput?.gpus.keys() ?? [])])
  return {
    driverVersion: gpuOutput?.driverVersion ?? vgpuOutput?.driverVersion ?? null,
    gpus: [...addresses]
      .sort()
      .slice(0, MAX_GPUS)
      .flatMap((address) => {
        const vgpuSide = vgpuOutput?.gpus.get(address)
        const gpu = gpuOutput?.gpus.get(address) ?? vgpuSide
        return gpu === undefined ? [] : [{ ...gpu, vgpus: vgpuSide?.vgpus ?? [] }]
      }),
  }
}

/** GPU instances by nvidia-smi's index of the GPU. `isComplete`: a GPU that is not listed has none. */
type ListedInstances = { byIndex: Map<number, GpuInstance[]>; isComplete: boolean }

const listInstances = async ({ problems, commands }: SmiRun): Promise<ListedInstances | null> => {
  const made = await commands.attempt('nvidia-smi', ['mig', '-lgi'], {
    maxAgeMs: MAX_AGE_MS,
    isUsable: (stdout) => NO_INSTANCES.test(stdout),
  })
  if (made === null) return null
  const printed = `${made.stdout}\n${made.stderr}`
  const byIndex = parseGpuInstances(printed)
  const isComplete = made.failure === null || NO_INSTANCES.test(printed)
  if (byIndex === null || !isComplete) {
    const remark = `printed no table of GPU instances but "${firstLine(made.stdout)}"`
    const message = `"nvidia-smi mig -lgi" ${made.failure === null ? remark : failureText(made)}.`
    problems.add({ source: 'nvidia-smi mig -lgi', code: 'command-failed', message })
  }
  return byIndex === null ? null : { byIndex, isComplete }
}

/** Adds the GPU instances, which are queried only where a GPU is in MIG mode and every GPU has an index. */
const withInstances = async (output: SmiOutput | null, run: SmiRun): Promise<SmiOutput | null> => {
  const order = output?.order ?? null
  if (output === null || order === null || !run.gpuAddresses.every((address) => order.includes(address)))
    return output
  if (![...output.gpus.values()].some(({ migMode }) => migMode === 'enabled')) return output
  const listed = await listInstances(run)
  if (listed === null) return output
  const gpus = [...output.gpus].map(([address, gpu]): [string, SmiGpu] => {
    if (gpu.migMode !== 'enabled') return [address, gpu]
    const own = listed.byIndex.get(order.indexOf(address)) ?? (listed.isComplete ? [] : null)
    const gpuInstances = own?.toSorted((a, b) => a.id - b.id).slice(0, MAX_INSTANCES) ?? null
    return [address, { ...gpu, gpuInstances }]
  })
  return { ...output, gpus: new Map(gpus) }
}

/** Printed where no GPU hosts vGPUs. */
const NO_VGPU_HOST = /^No supported devices in vGPU mode/

/** Adds the supported types with their limits. A live host is queried only where a GPU hosts vGPUs. */
const withVgpuTypes = async (
  output: SmiOutput | null,
  { commands, isLive }: { commands: Commands; isLive: boolean },
): Promise<SmiOutput | null> => {
  if (output === null || (isLive && !output.hostsVgpus)) return output
  const text = await commands.output('nvidia-smi', ['vgpu', '-s', '-v'], {
    maxAgeMs: MAX_AGE_MS,
    saysNone: NO_VGPU_HOST,
    isUsable: (stdout) => parseVgpuTypes(stdout).size > 0,
  })
  if (text === null) return output
  const types = parseVgpuTypes(text)
  const gpus = [...output.gpus].map(([address, gpu]): [string, SmiGpu] => [
    address,
    { ...gpu, vgpuTypes: types.get(address) ?? null },
  ])
  return { ...output, gpus: new Map(gpus) }
}

type SmiInput = { files: HostFiles; problems: ProblemLog; commands: Commands }

/** GPUs of NVIDIA's driver. nvidia-smi does not list those that the option NVreg_ExcludedGpus excludes. */
const listGpus = (files: HostFiles): string[] =>
  (files.names(PROC_GPUS) ?? []).flatMap((name) => {
    const information = files.text(`${PROC_GPUS}/${name}/information`) ?? ''
    return /^GPU Excluded:\s*Yes/m.test(information) ? [] : (canonicalAddress(name) ?? [])
  })

/** Null where nvidia-smi is paused, or can only fail. */
const prepareRun = ({ files, problems, commands }: SmiInput): SmiRun | null => {
  if (files.exists(PAUSE_FILE)) {
    const message = `nvidia-smi was not run because ${PAUSE_FILE} exists; remove it when sriov-manage is done.`
    problems.add({ source: 'nvidia-smi', code: 'incomplete', message })
    return null
  }
  // Without the kernel module nvidia-smi can only fail.
  if (files.root === '/' && !files.exists('/proc/driver/nvidia/version')) return null
  return { problems, commands, gpuAddresses: listGpus(files) }
}

const toOutput = (text: string | null): SmiOutput | null => (text === null ? null : fromQuery(text))

const toVgpuOutput = async (
  text: string | null,
  { files, commands }: SmiInput,
): Promise<SmiOutput | null> => {
  if (text !== null || files.root === '/') return toOutput(text)
  // A capture may hold the table instead.
  const table = await commands.output('nvidia-smi', ['vgpu'])
  return table === null ? null : fromTable(table)
}

/** What nvidia-smi reports; null when it is not here, paused, or has no log. */
export const collectNvidiaSmi = async (
  input: SmiInput & {
    /** Given what was printed, for what moves all the time and is no fact of the inventory. */
    onTexts?: ((texts: SmiTexts) => void) | undefined
  },
): Promise<NvidiaSmi | null> => {
  const run = prepareRun(input)
  if (run === null) return null
  const [gpuText, vgpuText] = await Promise.all([readSmiLog(['-q'], run), readSmiLog(['vgpu', '-q'], run)])
  input.onTexts?.({ gpuText, vgpuText })
  const gpuOutput = await withVgpuTypes(await withInstances(toOutput(gpuText), run), {
    commands: input.commands,
    isLive: input.files.root === '/',
  })
  return merged(gpuOutput, await toVgpuOutput(vgpuText, input))
}

/** GPUs with the vGPUs that NVIDIA's driver reports; null where nvidia-smi does not answer. */
export const readDriverVgpus = async (input: SmiInput): Promise<SmiGpu[] | null> => {
  const run = prepareRun(input)
  const output = run === null ? null : await toVgpuOutput(await readSmiLog(['vgpu', '-q'], run), input)
  return output === null ? null : [...output.gpus.values()]
}

/** GPUs with MIG mode and GPU instances; null where nvidia-smi does not answer. */
export const readGpuInstances = async (input: SmiInput): Promise<SmiGpu[] | null> => {
  const run = prepareRun(input)
  const output = run === null ? null : await withInstances(toOutput(await readSmiLog(['-q'], run)), run)
  return output === null ? null : [...output.gpus.values()]
}
