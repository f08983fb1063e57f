const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })

/** Whether the name is of a time zone that is known here: `Europe/Paris`, `UTC`. */
export const isTimeZone = (name: string): boolean => {
  // Offsets such as +02:00 pass for zones too, and know no summer.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * What clocks in a time zone are ahead of UTC at a moment, in ms; asked in the order of time it looks a day up once. Throws a
 * RangeError for what is no time zone.
 */
export const createZoneOffset = (timeZone: string): ((at: number) => number) => {
  const format = formatOf(timeZone)
  const lookUp = (at: number): number => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
  }
  let [begin, atBegin, atEnd] = [Number.NaN, 0, 0]
  return (at) => {
    const dayBegin = Math.floor(at / DAY_MS) * DAY_MS
    if (dayBegin !== begin) {
      begin = dayBegin
      atBegin = lookUp(begin)
      atEnd = lookUp(begin + DAY_MS)
    }
    return atBegin === atEnd ? atBegin : lookUp(at)
  }
}
