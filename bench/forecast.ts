/**
 * `npm run bench:forecast [-- --seeds 60]`: forecasts of generated groups, made without their last 90 days and held against
 * them, compared with the assumption that all stays as it is (the last day's value) or as it was last week. The forecast does not see these
 * days, neither for its trend nor for the decision whether it is shown.
 */
import { parseArgs } from 'node:util'
import { type DailySeries, type Forecast, forecastSeries } from '@/lib/domain/forecast/forecast-series'
import { generateSeries } from '@/lib/domain/forecast/testing/generate-series'
import { createRandom } from '@/simulator/random/random'
import { printTable } from './fleet/print-table'
import { STORIES } from './forecast/stories'

const HIDDEN_DAYS = 90
const HORIZONS = [7, 28, 90]
const WEEK = 7

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '60' } } })
const seeds = Number(values.seeds)

type Errors = { days: number; forecast: number; lastValue: number; lastWeek: number; within: number }
type Trial = { isShown: boolean; errors: Errors[] }

const mean = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length

const hide = ({ firstDay, peaks, capacity }: DailySeries): DailySeries => ({
  firstDay,
  peaks: peaks.slice(0, -HIDDEN_DAYS),
  capacity: capacity.slice(0, -HIDDEN_DAYS),
})

const errorsAt = (
  ahead: number,
  { whole, seen, forecast }: { whole: DailySeries; seen: DailySeries; forecast: Forecast },
): Errors => {
  const begin = seen.peaks.length
  const last = seen.peaks.findLast((peak) => peak !== null) ?? 0
  const capacity = forecast.capacity ?? Number.POSITIVE_INFINITY
  const off: Errors[] = []
  for (let index = begin + ahead - WEEK; index < begin + ahead; index += 1) {
    const came = whole.peaks[index]
    const expected = forecast.days[index - begin]
    if (came === null || came === undefined) continue
    off.push({
      days: ahead,
      forecast: expected === undefined ? 0 : Math.abs(Math.min(expected.likely, capacity) - came),
      lastValue: Math.abs(last - came),
      lastWeek: Math.abs((seen.peaks[begin - WEEK + ((index - begin) % WEEK)] ?? last) - came),
      // Use ends at the capacity, and so does the range.
      within:
        expected !== undefined && Math.min(expected.low, capacity) <= came && came <= expected.high ? 1 : 0,
    })
  }
  const of = (name: keyof Errors): number => mean(off.map((each) => each[name]))
  return {
    days: ahead,
    forecast: of('forecast'),
    lastValue: of('lastValue'),
    lastWeek: of('lastWeek'),
    within: of('within'),
  }
}

const tryStory = (story: string, seed: number): Trial => {
  const random = createRandom(seed)
  const whole = generateSeries({ ...STORIES[story]?.(random), days: 360 }, random.next)
  const seen = hide(whole)
  const forecast = forecastSeries(seen)
  return {
    isShown: forecast.none === null,
    errors: HORIZONS.map((days) => errorsAt(days, { whole, seen, forecast })),
  }
}

const vgpus = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(1))
const percent = (share: number): string => (Number.isNaN(share) ? '-' : `${Math.round(share * 100)} %`)

const rowsOf = (story: string, trials: readonly Trial[]): string[][] => {
  const shown = trials.filter(({ isShown }) => isShown)
  return HORIZONS.map((days, index) => {
    const at = shown.flatMap(({ errors }) => errors.filter((each) => each.days === days))
    const of = (name: keyof Errors): number => mean(at.map((each) => each[name]))
    const nearer = mean(at.map((each) => (each.forecast < Math.min(each.lastValue, each.lastWeek) ? 1 : 0)))
    return [
      index === 0 ? story : '',
      index === 0 ? percent(shown.length / trials.length) : '',
      String(days),
      vgpus(of('forecast')),
      vgpus(of('lastValue')),
      vgpus(of('lastWeek')),
      percent(nearer),
      percent(of('within')),
    ]
  })
}

const all = Object.keys(STORIES).map((story) => ({
  story,
  trials: Array.from({ length: seeds }, (_, seed) => tryStory(story, seed + 1)),
}))
printTable(`Forecasts of ${seeds} generated groups each: mean absolute error in vGPUs, where shown`, [
  ['groups', 'shown', 'days', 'forecast', 'last value', 'last week', 'nearer', 'in range'],
  ...all.flatMap(({ story, trials }) => rowsOf(story, trials)),
  ...rowsOf(
    'all',
    all.flatMap(({ trials }) => trials),
  ),
])
