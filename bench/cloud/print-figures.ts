import { kilobytes, milliseconds, printTable, times } from '../fleet/print-table'
import type { MeasuredApi } from './measure-apis'
import type { MeasuredPage } from './measure-pages'
import type { MeasuredPlan } from './measure-plans'
import type { MeasuredRounds, RoundFigures } from './measure-rounds'
import type { MeasuredViewers } from './measure-viewers'

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
  { first, quiet, moving, full, completeSeconds, openFindings, rssMib }: MeasuredRounds,
): void => {
  printTable(`Reading rounds, ${size}`, [
    ['', 'rounds', 'CPU each', 'requests each', 'delay p99', 'delay max', 'one every'],
    roundRow('first reading', first),
    roundRow('quiet', quiet),
    ...(moving === null ? [] : [roundRow('moving', moving)]),
    roundRow('full, after a restart', full),
  ])
  console.log(
    `  ${openFindings} open findings, complete ${completeSeconds.toFixed(0)} s after the start; memory ${rssMib.toFixed(0)} MiB`,
  )
}

export const printApis = (size: string, apis: readonly MeasuredApi[]): void =>
  printTable(`API, ${size}`, [
    ['', 'status', 'first', 'CPU of it', 'then', 'CPU', 'blocking', 'on the wire', 'JSON'],
    ...apis.map((api) => [
      api.name,
      String(api.status),
      milliseconds(api.firstMs),
      milliseconds(api.firstCpuMs),
      milliseconds(api.ms),
      milliseconds(api.cpuMs),
      milliseconds(api.blockingMs),
      kilobytes(api.bytes),
      kilobytes(api.textBytes),
    ]),
  ])

export const printPages = (size: string, pages: readonly MeasuredPage[]): void =>
  printTable(`Pages, ${size}`, [
    ['', 'usable after', 'DOM nodes', 'HTML', 'script on the wire'],
    ...pages.map((page) => [
      page.name,
      page.usableMs === null ? 'never' : milliseconds(page.usableMs),
      String(page.domNodes),
      kilobytes(page.htmlBytes),
      kilobytes(page.scriptBytes),
    ]),
  ])

export const printPlans = (size: string, plans: readonly MeasuredPlan[]): void =>
  printTable(`Plans, ${size}`, [
    ['', 'GPUs', 'status', 'time', 'blocking', 'JSON', 'refused because'],
    ...plans.map((plan) => [
      plan.kind,
      String(plan.gpus),
      String(plan.status),
      milliseconds(plan.ms),
      milliseconds(plan.blockingMs),
      kilobytes(plan.bytes),
      plan.reason?.slice(0, 80) ?? '',
    ]),
  ])

export const printViewers = (size: string, measured: readonly MeasuredViewers[]): void =>
  printTable(`Several viewers, ${size}`, [
    ['', 'viewers', 'answers', 'status', 'p50', 'p95', 'max', 'blocking', 'CPU'],
    ...measured.map((each) => [
      each.phase,
      each.viewers,
      String(each.answers),
      each.statuses.join(),
      milliseconds(each.p50Ms),
      milliseconds(each.p95Ms),
      milliseconds(each.maxMs),
      milliseconds(each.blockingMs),
      `${(100 * each.cpuShare).toFixed(0)} %`,
    ]),
  ])

export type MeasuredSize = { hosts: number; rounds: MeasuredRounds; apis: readonly MeasuredApi[] }

/** How many times as fast as the number of hosts each figure grows: 1x is in proportion, the aim is at most 1.2x. */
export const printGrowth = (small: MeasuredSize, large: MeasuredSize): void => {
  const growth = large.hosts / small.hosts
  const ratio = (from: number, to: number): string => times(to / from / growth)
  const rounds = (['quiet', 'full'] as const).map((kind) => {
    const [before, after] = [small.rounds[kind], large.rounds[kind]]
    return [
      `${kind} round`,
      ratio(before.cpuMs, after.cpuMs),
      ratio(before.delayMaxMs, after.delayMaxMs),
      ratio(before.requests, after.requests),
    ]
  })
  const apis = small.apis.flatMap((before) => {
    const after = large.apis.find(({ name }) => name === before.name)
    if (after === undefined) return []
    return [
      [
        before.name,
        ratio(before.ms, after.ms),
        ratio(before.blockingMs, after.blockingMs),
        ratio(before.textBytes, after.textBytes),
      ],
    ]
  })
  printTable(`Growth from ${small.hosts} to ${large.hosts} hosts, divided by that of the hosts`, [
    ['', 'CPU or time', 'longest delay', 'requests or bytes'],
    ...rounds,
    ...apis,
  ])
}
