import { type GpuUsage, parseUsage, type SmiTexts } from '../collect/smi-usage'

/** Utilization as nvidia-smi reported it, with the time by this host's clock. */
export type UsageSample = { at: Date; gpus: GpuUsage[] }

const minuteOf = (at: Date): number => Math.floor(at.getTime() / 60_000)

/** Takes one sample a minute at most, and none of an output that it has seen: nothing was measured since. */
export const createSampler = () => {
  let seen = ''
  let last: Date | null = null
  return {
    take: (texts: SmiTexts, at: Date): UsageSample | null => {
      const text = `${texts.gpuText}\n${texts.vgpuText}`
      if (text === seen) return null
      seen = text
      if (last !== null && minuteOf(last) === minuteOf(at)) return null
      const gpus = parseUsage(texts)
      if (gpus.length === 0) return null
      last = at
      return { at, gpus }
    },
  }
}
