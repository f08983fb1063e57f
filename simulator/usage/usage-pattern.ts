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

type Levels = { load: number; memory: number }
type Doing = { habit: Habit; isOn: boolean; office: number; jitter: number }

/** Load of the vGPU and part of its framebuffer in use, both 0 to 1; `jitter`: what differs from minute to minute. */
const levelsOf = ({ habit, isOn, office, jitter }: Doing): Levels => {
  switch (habit) {
    case 'idle':
      return { load: 0, memory: 0.05 }
    case 'desktop':
      return { load: office * (0.1 + 0.6 * jitter * jitter), memory: office > 0 ? 0.45 : 0.2 }
    case 'training':
      return isOn ? { load: 0.82 + 0.18 * jitter, memory: 0.86 } : { load: 0, memory: 0.08 }
    case 'inference':
      return { load: 0.15 + 0.35 * office + 0.15 * jitter, memory: 0.7 }
  }
}

/** Training goes by jobs of six hours, two in three of which are run. */
const isJobOn = (seed: number, at: number): boolean => noise(seed, at / (6 * HOUR_MS)) < 0.66

type Vgpu = { guestUuid: string; totalMib: number; cardMib: number }

const shareOf = ({ totalMib, cardMib }: Vgpu): number =>
  cardMib === 0 ? 1 : Math.min(1, (totalMib / cardMib) * 1.6)
const mibOf = ({ totalMib }: Vgpu, memory: number): number =>
  Math.min(totalMib, Math.round((totalMib * memory) / 16) * 16)

/**
 * What nvidia-smi reports of a vGPU at a moment (ms), the same for the same guest and minute: percent of the whole card, and MiB of its
 * own framebuffer. Some guests leave theirs idle permanently.
 */
export const vgpuUsage = ({ at, ...vgpu }: Vgpu & { at: number }): { percent: number; usedMib: number } => {
  const { guestUuid } = vgpu
  const seed = numberFrom(guestUuid)
  const { load, memory } = levelsOf({
    habit: habitOf(guestUuid),
    isOn: isJobOn(seed, at),
    office: officeHours(at),
    jitter: noise(seed, at / MINUTE_MS),
  })
  return { percent: Math.round(load * shareOf(vgpu) * 100), usedMib: mibOf(vgpu, memory) }
}

/** Least, average and most of a number within an hour. */
export type HourRange = { min: number; average: number; max: number }
type HourLevels = { load: HourRange; memory: HourRange }
/** What is the same for all guests in the hour that begins then (ms). */
export type UsageHour = { begin: number; levels: Record<Habit | 'no job', HourLevels> }

const QUARTERS = [0, 15, 30, 45, 59.9]
/** Least and most of 60 draws between 0 and 1, and the root of their average square. */
const JITTER = { lowest: 0.016, middle: 0.577, highest: 0.984 }
/** By how much the average of an hour's minutes differs from guest to guest, as part of what they range over. */
const WOBBLE = 0.1

/** Levels of an hour by what guests do in it, for `createVgpuHours`. */
export const usageHour = (begin: number): UsageHour => {
  const offices = QUARTERS.map((minute) => officeHours(begin + minute * MINUTE_MS))
  const hourOf = (habit: Habit, isOn = true): HourLevels => {
    const at = (office: number, jitter: number): Levels => levelsOf({ habit, isOn, office, jitter })
    const middles = offices.map((office) => at(office, JITTER.middle))
    const averageOf = (name: keyof Levels): number =>
      middles.reduce((sum, middle) => sum + middle[name], 0) / middles.length
    const [lowest, highest] = [
      at(Math.min(...offices), JITTER.lowest),
      at(Math.max(...offices), JITTER.highest),
    ]
    return {
      load: { min: lowest.load, average: averageOf('load'), max: highest.load },
      memory: { min: lowest.memory, average: averageOf('memory'), max: highest.memory },
    }
  }
  const levels = {
    idle: hourOf('idle'),
    desktop: hourOf('desktop'),
    training: hourOf('training'),
    'no job': hourOf('training', false),
    inference: hourOf('inference'),
  }
  return { begin, levels }
}

/**
 * An hour of `vgpuUsage` as its 60 minutes come out, give or take what chance does, without asking for each of them. Percent in
 * tenths; the same for the same guest and hour.
 */
export const createVgpuHours = (
  vgpu: Vgpu,
): ((hour: UsageHour) => { percent: HourRange; usedMib: HourRange }) => {
  const seed = numberFrom(vgpu.guestUuid)
  const habit = habitOf(vgpu.guestUuid)
  const scale = shareOf(vgpu) * 100
  return ({ begin, levels }) => {
    const isWithoutJob = habit === 'training' && !isJobOn(seed, begin)
    const { load, memory } = levels[isWithoutJob ? 'no job' : habit]
    const wobble = (noise(seed ^ 0x5eed, begin / HOUR_MS) - 0.5) * WOBBLE * (load.max - load.min)
    const [min, max] = [Math.round(load.min * scale), Math.round(load.max * scale)]
    const average = Math.round((load.average + wobble) * scale * 10) / 10
    return {
      percent: { min, average: Math.min(max, Math.max(min, average)), max },
      usedMib: {
        min: mibOf(vgpu, memory.min),
        average: mibOf(vgpu, memory.average),
        max: mibOf(vgpu, memory.max),
      },
    }
  }
}
