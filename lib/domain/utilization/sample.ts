import { MINUTE_MS } from '../history/series'

/** What is measured: a pGPU (`vgpu` null), or one vGPU on it. */
export type SeriesName = {
  /** PCI address of the pGPU, canonical. */
  address: string
  /** The mdev's uuid, else the driver's number of the vGPU. */
  vgpu: string | null
  /** The guest that held the vGPU. */
  guest: string | null
}

/**
 * The values of a series in one run of nvidia-smi; null: not reported (`N/A`, MIG, a card that the driver does not see).
 */
export type Reading = SeriesName & {
  /** Percent of the time in which a kernel ran; of a vGPU its part of the whole card. */
  utilization: number | null
  usedMib: number | null
  totalMib: number | null
}

/** All values of a host in one run, at `at` (ms since the epoch). */
export type Sample = { at: number; readings: Reading[] }

/** Identifies a series within one host. */
export const seriesKey = ({ address, vgpu, guest }: SeriesName): string =>
  `${address} ${vgpu ?? ''} ${guest ?? ''}`

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const contentOf = ({ readings }: Sample): string =>
  JSON.stringify(
    readings
      .map((reading) => [seriesKey(reading), reading.utilization, reading.usedMib, reading.totalMib])
      .sort((a, b) => compareTexts(String(a[0]), String(b[0]))),
  )

const isNewer = (a: Sample, b: Sample): boolean => (a.at === b.at ? contentOf(a) > contentOf(b) : a.at > b.at)

/**
 * One sample for each minute: the last one within it, and of two at the same moment the greater one. So the result does
 * not depend on the order or repetition of samples. Sorted by time.
 */
export const mergeSamples = (samples: readonly Sample[]): Sample[] => {
  const byMinute = new Map<number, Sample>()
  for (const sample of samples) {
    const minute = Math.floor(sample.at / MINUTE_MS)
    const known = byMinute.get(minute)
    if (known === undefined || isNewer(sample, known)) byMinute.set(minute, sample)
  }
  return [...byMinute.values()].sort((a, b) => a.at - b.at)
}

/** A clock may be off by less, and a message may be that long on its way. */
const IN_TIME_MS = 30_000

/**
 * Samples by our clock: moved by as many whole minutes as the host's clock is off when it sends (`sentAt`; null: it does not say),
 * so that the way of a message moves none of them. What would lie in our future is left out.
 */
export const correctSamples = (
  samples: readonly Sample[],
  { sentAt, receivedAt }: { sentAt: number | null; receivedAt: number },
): Sample[] => {
  const aheadMs = sentAt === null ? 0 : Math.round((sentAt - receivedAt) / MINUTE_MS) * MINUTE_MS
  return samples
    .map((sample) => (aheadMs === 0 ? sample : { ...sample, at: sample.at - aheadMs }))
    .filter(({ at }) => at <= receivedAt + IN_TIME_MS)
}
