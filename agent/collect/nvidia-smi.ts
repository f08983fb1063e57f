import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { fact, firstLine } from './clean-text'
import type { Commands } from './commands'
import type { HostFiles } from './host-files'
import { canonicalAddress, countFrom, isUuid } from './identifiers'
import type { ProblemLog } from './problem-log'
import { NO_INSTANCES, parseGpuInstances } from './smi-instances'
import { MAX_AGE_MS, readSmiLog } from './smi-log'
import { parseSmiTable } from './smi-table'
import { nodesNamed, parseSmiText, type SmiNode, smiValue } from './smi-text'
import type { SmiTexts } from './smi-usage'
import { parseVgpuTypes } from './smi-vgpu-types'

/** While it is there, nvidia-smi is not run: an NVML client keeps sriov-manage from its lock. */
export const PAUSE_FILE = '/run/sliceboard/pause-nvidia-smi'

const PROC_GPUS = '/proc/driver/nvidia/gpus'

/** The contract's bounds. */
const MAX_GPUS = 256
const MAX_VGPUS = 256
const MAX_INSTANCES = 64

type SmiGpu = NvidiaSmi['gpus'][number]
type SmiVgpu = SmiGpu['vgpus'][number]

const switchOf = (value: string | null): 'enabled' | 'disabled' | null => {
  const word = value?.toLowerCase()
  return word === 'enabled' || word === 'disabled' ? word : null
}

const uuidOf = (value: string | null): string | null => {
  const uuid = value?.toLowerCase() ?? ''
  return isUuid(uuid) ? uuid : null
}

/** `Licensed (Expiry: 2026-12-31 …)` without the date, which moves at every renewal. */
const licenseOf = (value: string | null): string | null => fact(value?.split('(', 1)[0])

const vgpuOf = (node: SmiNode): SmiVgpu => ({
  vgpuId: fact(node.value) ?? '',
  guestUuid: uuidOf(smiValue(node, 'VM UUID')),
  guestName: fact(smiValue(node, 'VM Name')),
  typeName: fact(smiValue(node, 'vGPU Name')),
  mdevUuid: uuidOf(smiValue(node, 'MDEV UUID')),
  licenseStatus: licenseOf(smiValue(node, 'License Status')),
  guestDriverVersion: fact(smiValue(node, 'Guest Driver Version')),
})

type Block = { address: string; node: SmiNode }

const gpuBlocks = (root: SmiNode): Block[] =>
  nodesNamed(root, 'GPU').flatMap((node) => {
    const address = canonicalAddress(node.value)
    return address === null ? [] : [{ address, node }]
  })

const vgpusOf = ({ node }: Block): SmiVgpu[] =>
  nodesNamed(node, 'vGPU ID')
    .map(vgpuOf)
    .sort((a, b) => (a.vgpuId < b.vgpuId ? -1 : 1))
    .slice(0, MAX_VGPUS)

const gpuOf = ({ address, node }: Block): Omit<SmiGpu, 'vgpus'> => ({
  address,
  name: fact(smiValue(node, 'Product Name')),
  uuid: fact(smiValue(node, 'GPU UUID')),
  framebufferMib: countFrom(
    /^(\d+) MiB$/.exec(smiValue(node, 'FB Memory Usage', 'Total') ?? '')?.[1] ?? null,
  ),
  migMode: switchOf(smiValue(node, 'MIG Mode', 'Current')),
  gpuInstances: null,
  heterogeneousMode: switchOf(smiValue(node, 'GPU Virtualization Mode', 'vGPU Heterogeneous Mode')),
})

/** One of nvidia-smi's outputs: GPUs by address, in nvidia-smi's order where that is told. */
type Output = { driverVersion: string | null; gpus: Map<string, SmiGpu>; order: (string | null)[] }

/** `nvidia-smi -q` or `nvidia-smi vgpu -q`: one form, other keys. */
const fromQuery = (text: string | null): Output | null => {
  if (text === null) return null
  const root = parseSmiText(text)
  const driverVersion = fact(smiValue(root, 'Driver Version'))
  const blocks = gpuBlocks(root)
  const gpus = blocks.map((block): [string, SmiGpu] => [
    block.address,
    { ...gpuOf(block), vgpus: vgpusOf(block) },
  ])
  const order = nodesNamed(root, 'GPU').map(({ value }) => canonicalAddress(value))
  return { driverVersion, gpus: new Map(gpus), order }
}

/** The table form, which says less. */
const fromTable = (text: string): Output => {
  const table = parseSmiTable(text)
  const gpus = table.gpus.map(({ address, name, vgpus }): [string, SmiGpu] => [
    address,
    {
      address,
      name: fact(name),
      uuid: null,
      framebufferMib: null,
      migMode: null,
      gpuInstances: null,
      heterogeneousMode: null,
      vgpus: vgpus.slice(0, MAX_VGPUS).map((vgpu) => ({
        vgpuId: vgpu.vgpuId,
        guestUuid: null,
        guestName: fact(vgpu.guestName),
        typeName: fact(vgpu.typeName),
        mdevUuid: null,
        licenseStatus: null,
      })),
    },
  ])
  return { driverVersion: fact(table.driverVersion), gpus: new Map(gpus), order: [] }
}

/** Facts of the GPUs from the first, vGPUs from the second; either may be missing. */
const merged = (gpuOutput: Output | null, vgpuOutput: Output | null): NvidiaSmi | null => {
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

type Asking = { problems: ProblemLog; commands: Commands }

/** Adds the GPU instances, asked for only where a GPU is in MIG mode. */
const withInstances = async (
  output: Output | null,
  { problems, commands }: Asking,
): Promise<Output | null> => {
  if (output === null || ![...output.gpus.values()].some(({ migMode }) => migMode === 'enabled'))
    return output
  const text = await commands.output('nvidia-smi', ['mig', '-lgi'], {
    maxAgeMs: MAX_AGE_MS,
    saysNone: NO_INSTANCES,
    isUsable: (stdout) => parseGpuInstances(stdout) !== null,
  })
  const byIndex = text === null ? null : parseGpuInstances(text)
  if (text !== null && byIndex === null) {
    const message = `"nvidia-smi mig -lgi" printed no table of GPU instances but "${firstLine(text)}".`
    problems.add({ source: 'nvidia-smi mig -lgi', code: 'command-failed', message })
  }
  const instancesOf = ({ address, migMode }: SmiGpu) => {
    if (byIndex === null || migMode !== 'enabled') return null
    const instances = byIndex.get(output.order.indexOf(address)) ?? []
    return instances.sort((a, b) => a.id - b.id).slice(0, MAX_INSTANCES)
  }
  const gpus = [...output.gpus].map(([address, gpu]): [string, SmiGpu] => [
    address,
    { ...gpu, gpuInstances: instancesOf(gpu) },
  ])
  return { ...output, gpus: new Map(gpus) }
}

const isHostVgpu = ({ node }: Block): boolean =>
  smiValue(node, 'GPU Virtualization Mode', 'Virtualization Mode')?.toLowerCase() === 'host vgpu'

/** Printed where no GPU hosts vGPUs. */
const NO_VGPU_HOST = /^No supported devices in vGPU mode/

/** Adds the supported types with their limits. A live host is queried only where a GPU hosts vGPUs. */
const withVgpuTypes = async (
  output: Output | null,
  { gpuText, commands, isLive }: Pick<Asking, 'commands'> & { gpuText: string | null; isLive: boolean },
): Promise<Output | null> => {
  if (output === null || (isLive && !gpuBlocks(parseSmiText(gpuText ?? '')).some(isHostVgpu))) return output
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

/** What nvidia-smi reports; null when it is not here, paused, or has no log. */
export const collectNvidiaSmi = async ({
  files,
  problems,
  commands,
  onTexts,
}: {
  files: HostFiles
  problems: ProblemLog
  commands: Commands
  /** Given what was printed, for what moves all the time and is no fact of the inventory. */
  onTexts?: ((texts: SmiTexts) => void) | undefined
}): Promise<NvidiaSmi | null> => {
  if (files.exists(PAUSE_FILE)) {
    const message = `nvidia-smi was not run because ${PAUSE_FILE} exists; remove it when sriov-manage is done.`
    problems.add({ source: 'nvidia-smi', code: 'incomplete', message })
    return null
  }
  // Without the kernel module nvidia-smi can only fail.
  if (files.root === '/' && !files.exists('/proc/driver/nvidia/version')) return null
  const gpuAddresses = (files.names(PROC_GPUS) ?? []).flatMap((name) => canonicalAddress(name) ?? [])
  const run = { problems, commands, gpuAddresses }
  const [gpuText, vgpuText] = await Promise.all([readSmiLog(['-q'], run), readSmiLog(['vgpu', '-q'], run)])
  onTexts?.({ gpuText, vgpuText })
  const gpuOutput = await withVgpuTypes(await withInstances(fromQuery(gpuText), { problems, commands }), {
    gpuText,
    commands,
    isLive: files.root === '/',
  })
  const vgpuOutput = fromQuery(vgpuText)
  if (vgpuText !== null || files.root === '/') return merged(gpuOutput, vgpuOutput)
  // A capture may hold the table instead.
  const table = await commands.output('nvidia-smi', ['vgpu'])
  return merged(gpuOutput, table === null ? null : fromTable(table))
}
