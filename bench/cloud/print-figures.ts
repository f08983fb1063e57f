import { kilobytes, milliseconds, printTable, times } from '../fleet/print-table'
import type { MeasuredApi } from './measure-apis'
import type { MeasuredRounds, RoundFigures } from './measure-rounds'

const roundRow = (name: string, figures: RoundFigures): string[] => [
  name,
  String(figures.rounds),
  `${(figures.cpuMs / 1000).toFixed(2)} s`,
  figures.requests.toFixed(0),
  milliseconds(figures.delayP99Ms),
  milliseconds(figures.delayMaxMs),
  `${figures.secondsBetween.toFixed(1)} s`,
]

export const printRounds = (
  size: string,
  { first, quiet, full, completeSeconds, openFindings, rssMib }: MeasuredRounds,
): void => {
  printTable(`Reading rounds, ${size}`, [
    ['', 'rounds', 'CPU each', 'requests each', 'delay p99', 'delay max', 'one every'],
    roundRow('first reading', first),
    roundRow('quiet', quiet),
    roundRow('full, after a restart', full),
  ])
  console.log(
    `  ${openFindings} open findings, complete ${completeSeconds.toFixed(0)} s after the start; memory ${rssMib.toFixed(0)} MiB`,
  )
}

export const printApis = (size: string, apis: readonly MeasuredApi[]): void =>
  printTable(`API, ${size}`, [
    ['', 'status', 'first', 'then', 'blocking', 'on the wire', 'JSON'],
    ...apis.map((api) => [
      api.name,
      String(api.status),
      milliseconds(api.firstMs),
      milliseconds(api.ms),
      milliseconds(api.blockingMs),
      kilobytes(api.bytes),
      kilobytes(api.textBytes),
    ]),
  ])

/** How much faster than the size each figure grows: 1x is in proportion. */
export const printRoundRatios = (small: MeasuredRounds, large: MeasuredRounds, growth: number): void => {
  const ratio = (pick: (rounds: MeasuredRounds) => number): string =>
    times(pick(large) / pick(small) / growth)
  printTable(`Growth against the size (${times(growth)} the hosts)`, [
    ['', 'CPU each', 'requests each', 'delay max'],
    ...(['quiet', 'full'] as const).map((kind) => [
      kind,
      ratio((rounds) => rounds[kind].cpuMs),
      ratio((rounds) => rounds[kind].requests),
      ratio((rounds) => rounds[kind].delayMaxMs),
    ]),
  ])
}
