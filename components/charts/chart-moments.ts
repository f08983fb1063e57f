const DAY_SECONDS = 86_400

const UTC = { timeZone: 'UTC' } as const
const day = new Intl.DateTimeFormat('en-GB', { ...UTC, day: 'numeric', month: 'short' })
const month = new Intl.DateTimeFormat('en-GB', { ...UTC, month: 'short', year: 'numeric' })
const clock = new Intl.DateTimeFormat('en-GB', { ...UTC, hour: '2-digit', minute: '2-digit' })
const whole = new Intl.DateTimeFormat('en-GB', {
  ...UTC,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** A tick of the axis in UTC: `21 Nov`, within a day `14:00`, over years `Nov 2026`. */
export const axisMoment = (at: number, stepSeconds: number): string => {
  if (stepSeconds >= 7 * DAY_SECONDS) return month.format(at)
  return stepSeconds < 3600 ? clock.format(at) : day.format(at)
}

/** What a point stands for, in UTC: `Sat, 21 Nov 2026, 14:00 to 15:00`, `Sat, 21 Nov 2026`. */
export const pointMoment = (at: number, stepSeconds: number): string => {
  const begin = whole.format(at)
  const end = at + stepSeconds * 1000
  if (stepSeconds < DAY_SECONDS) return `${begin}, ${clock.format(at)} to ${clock.format(end)}`
  return stepSeconds === DAY_SECONDS ? begin : `${begin} to ${whole.format(end - 1)}`
}
