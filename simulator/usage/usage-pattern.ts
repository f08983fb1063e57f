import { createHash } from 'node:crypto'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** What a guest does with its vGPU, day after day. */
type Habit = 'idle' | 'desktop' | 'training' | 'inference'

/** Out of 100 guests. */
const SHARES: readonly [number, Habit][] = [
  [14, 'idle'],
  [46, 'desktop'],
  [28, 'training'],
  [12, 'inference'],
]

const numberFrom = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)
/** At least 0, less than 1; the same for the same text. */
const partFrom = (text: string): number => numberFrom(text) / 4_294_967_296

/** mulberry32's last step: quick noise for each minute, at least 0 and less than 1. */
const noise = (seed: number, at: number): number => {
  let mixed = Math.imul(seed ^ Math.floor(at), 0x9e37_79b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

/** What this guest does with its vGPU. */
export const habitOf = (guestUuid: string): Habit => {
  let left = partFrom(`habit ${guestUuid}`) * 100
  for (const [share, habit] of SHARES) {
    left -= share
    if (left < 0) return habit
  }
  return 'inference'
}

/** How busy people are: 0 at night and at weekends, 1 in the middle of a working day (UTC). */
const officeHours = (at: number): number => {
  const day = new Date(at).getUTCDay()
  if (day === 0 || day === 6) return 0
  const hour = (at % (24 * HOUR_MS)) / HOUR_MS
  return Math.max(0, Math.sin(((hour - 6.5) / 11) * Math.PI)) * (hour > 6.5 && hour < 17.5 ? 1 : 0)
}

/** Load of the vGPU and part of its framebuffer in use, both 0 to 1. */
const levelsOf = (guestUuid: string, at: number): { load: number; memory: number } => {
  const seed = numberFrom(guestUuid)
  const jitter = noise(seed, at / MINUTE_MS)
  switch (habitOf(guestUuid)) {
    case 'idle':
      return { load: 0, memory: 0.05 }
    case 'desktop': {
      const office = officeHours(at)
      return { load: office * (0.1 + 0.6 * jitter * jitter), memory: office > 0 ? 0.45 : 0.2 }
    }
    case 'training': {
      // Jobs of six hours, two in three of which are run.
      const isOn = noise(seed, at / (6 * HOUR_MS)) < 0.66
      return isOn ? { load: 0.82 + 0.18 * jitter, memory: 0.86 } : { load: 0, memory: 0.08 }
    }
    case 'inference':
      return { load: 0.15 + 0.35 * officeHours(at) + 0.15 * jitter, memory: 0.7 }
  }
}

/**
 * What nvidia-smi says of a vGPU at a moment (ms), the same for the same guest and minute: percent of the whole card, and MiB of its
 * own framebuffer. Some guests leave theirs idle for good.
 */
export const vgpuUsage = ({
  guestUuid,
  totalMib,
  cardMib,
  at,
}: {
  guestUuid: string
  totalMib: number
  cardMib: number
  at: number
}): { percent: number; usedMib: number } => {
  const { load, memory } = levelsOf(guestUuid, at)
  const share = cardMib === 0 ? 1 : Math.min(1, (totalMib / cardMib) * 1.6)
  const usedMib = Math.round((totalMib * memory) / 16) * 16
  return { percent: Math.round(load * share * 100), usedMib: Math.min(usedMib, totalMib) }
}
