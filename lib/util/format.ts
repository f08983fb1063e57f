/*
 * The first formatter of `Intl` loads the browser's language data, tens of milliseconds while a page starts. So each is made
 * when it is first needed, and whole numbers and the clock, which every page shows, do without.
 */
const once = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

const counts = once(() => new Intl.NumberFormat('en'))

/** `80,000`. */
export const formatCount = (count: number): string =>
  Number.isSafeInteger(count) && !Object.is(count, -0)
    ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : counts().format(count)

/** `1 host`, `3 hosts`, `80,000 hosts`. */
export const formatNoun = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`

/** Share as a whole percent; a share that is neither nothing nor all never reads 0 or 100. Null without a whole. */
export const formatPercent = (part: number, whole: number): string | null => {
  if (whole === 0) return null
  const percent = Math.round((part / whole) * 100)
  const bounded = part > 0 && part < whole ? Math.min(99, Math.max(1, percent)) : percent
  return `${bounded} %`
}

/** A share as a percent, with a digit below 10: `37 %`, `0.4 %`, `0 %`. */
export const formatShare = (share: number): string => {
  const percent = share * 100
  return `${percent > 0 && percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)} %`
}

/** `16 GiB`, `1.5 GiB`, `512 MiB`. */
export const formatMib = (mib: number): string => {
  if (mib < 1024) return `${formatCount(mib)} MiB`
  const gib = mib / 1024
  return `${formatCount(Number.isInteger(gib) ? gib : Math.round(gib * 10) / 10)} GiB`
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Age in one unit: `12 s`, `4 min`, `3 h`, `2 d`. Clocks that differ a little never make it negative. */
export const formatAge = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`
  if (whole < 2 * DAY) return `${Math.floor(whole / HOUR)} h`
  return `${formatCount(Math.floor(whole / DAY))} d`
}

/** How long something lasted, to the nearest: `40 min`, `10 h`, `3 d`. */
export const formatLength = (ms: number): string => {
  const minutes = Math.round(ms / 1000 / MINUTE)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(ms / 1000 / HOUR)
  return hours < 48 ? `${hours} h` : `${formatCount(Math.round(hours / 24))} d`
}

/** How long it still is, to the nearest, so that two hours read so when they begin: `12 s`, `30 min`, `2 h`. */
export const formatUntil = (seconds: number): string =>
  seconds < MINUTE ? formatAge(seconds) : formatLength(seconds * 1000)

/** `2026-11-20T14:03:22…`, as the clocks of the zone show it: `UTC`, or else the reader's. */
const onClock = (moment: Date, zone: string): string =>
  new Date(moment.getTime() - (zone === 'UTC' ? 0 : moment.getTimezoneOffset() * 60_000)).toISOString()

const dayAndClockIn = (zone?: 'UTC') =>
  once(
    () =>
      new Intl.DateTimeFormat('en-GB', {
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
        ...(zone && { timeZone: zone }),
      }),
  )
const dayAndClock = dayAndClockIn()
const utcDayAndClock = dayAndClockIn('UTC')

/** `14:03:22` on the day of `now`, else `20 Nov, 14:03`. `zone`: `UTC`, or else the reader's. */
export const formatMoment = (moment: Date, now: Date, zone: string): string => {
  const text = onClock(moment, zone)
  if (text.slice(0, 10) === onClock(now, zone).slice(0, 10)) return text.slice(11, 19)
  return (zone === 'UTC' ? utcDayAndClock : dayAndClock)().format(moment)
}

/** `2026-11-20 14:03:22 Europe/Paris`: next to a time that is relative or without its zone. `zone` as above. */
export const formatWholeMoment = (moment: Date, zone: string): string =>
  `${onClock(moment, zone).slice(0, 19).replace('T', ' ')} ${zoneText(zone)}`

/** `20 Nov, 14:03 UTC`: where the reader's clock and time zone are not known yet. */
export const formatUtcMoment = (moment: Date): string => `${utcDayAndClock().format(moment)} UTC`

/** The reader's time zone as IANA names it: `Europe/Paris`. */
export const timeZoneName = once((): string => new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** A time zone as text: `America/New York`. */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ')

const DAY_PARTS = { day: 'numeric', month: 'long', year: 'numeric' } as const
const day = once(() => new Intl.DateTimeFormat('en-GB', DAY_PARTS))
const utcDay = once(() => new Intl.DateTimeFormat('en-GB', { ...DAY_PARTS, timeZone: 'UTC' }))

/** `21 November 2026`. `zone`: `UTC`, or else the reader's. */
export const formatDay = (moment: Date, zone: string): string =>
  (zone === 'UTC' ? utcDay() : day()).format(moment)
