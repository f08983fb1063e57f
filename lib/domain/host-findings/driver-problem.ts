import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

/** The source that the agent gives to what nvidia-smi reports of one GPU (agent/collect/smi-log.ts). */
const GPU_SOURCE = /^nvidia-smi GPU (\S+)$/

/** The GPU that a problem of the report is about and shown with; null: none. */
export const gpuOfProblem = (source: string): string | null => GPU_SOURCE.exec(source)?.[1] ?? null

/** NVIDIA's Xid 79 and similar errors: the GPU no longer responds on the bus. */
const LOST = /device handle|is lost|fallen off the bus|Unknown Error/i

const textOf = (message: string): string => message.replace(/^nvidia-smi reports: (WARNING:\s*)?/i, '')

/** Warnings and errors that nvidia-smi prints for one GPU, in addition to its log or in place of it. */
const detect: CardDetector = ({ pgpu }, { inventory }) => {
  const texts = inventory.problems
    .filter(({ source }) => gpuOfProblem(source) === pgpu.address)
    .map(({ message }) => textOf(message))
  const [first] = texts
  if (first === undefined) return NOTHING
  const isLost = texts.some((text) => LOST.test(text))
  const advice = isLost
    ? 'Search the kernel log for NVRM and Xid. Migrate the servers of the card, then reset or reboot the host. If it happens again, replace the card.'
    : "See NVIDIA's documentation of this message. An infoROM error requires a repair by the vendor."
  return [
    {
      code: isLost ? 'gpu-lost' : 'driver-warning',
      severity: isLost ? 'error' : 'warning',
      sentence: isLost ? 'nvidia-smi cannot reach the GPU' : `nvidia-smi reports a warning: ${first}`,
      detail: `nvidia-smi reports: ${texts.join(' / ')}. ${advice} The data of the other GPUs is not affected.`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const driverProblem: HostDetector = {
  findings: {
    'gpu-lost': {
      title: 'GPU has fallen off the bus',
      severities: ['error'],
      detection: 'nvidia-smi: the output reports that the GPU cannot be reached.',
      consequence: 'Servers on the card lose their GPU, and no server starts with it.',
      nextStep: 'Search the kernel log for Xid, migrate the servers, and reset or reboot the host.',
      source: 'hardware',
    },
    'driver-warning': {
      title: 'NVIDIA driver reports a warning',
      severities: ['warning'],
      detection: 'nvidia-smi: the output has a warning or an error for the GPU.',
      consequence: 'The card works, but its hardware may need a repair.',
      nextStep: "See NVIDIA's documentation of the message.",
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
