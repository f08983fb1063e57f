/**
 * `npm run bench:cloud [-- --size small|large|both --only rounds,api,pages,plans,viewers --minutes 2]`: a cloud from the simulator's parts, read
 * and served by the built console on a PostgreSQL of the benchmark, the simulated OpenStack in another process. `--short`: two
 * clouds of 60 and 120 hosts, and only how the figures grow from one to the other.
 */
import { parseArgs } from 'node:util'
import { measureApis } from './cloud/measure-apis'
import { measurePages } from './cloud/measure-pages'
import { measurePlans } from './cloud/measure-plans'
import { measureRounds } from './cloud/measure-rounds'
import { measureViewers } from './cloud/measure-viewers'
import { prepareWorld } from './cloud/prepare-world'
import {
  type MeasuredSize,
  printApis,
  printGrowth,
  printPages,
  printPlans,
  printRounds,
  printViewers,
} from './cloud/print-figures'
import { SIZES, type SizeName } from './cloud/sizes'
import { isBuilt } from './fleet/console-process'

const PARTS = ['rounds', 'api', 'pages', 'plans', 'viewers'] as const
const SHORT_PARTS = ['rounds', 'api'] as const
const SHORT_MINUTES = '0.5'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    only: { type: 'string' },
    minutes: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})

const stop = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const sizesOf = (): SizeName[] => {
  if (values.short) return ['short', 'double']
  if (values.size === 'both') return ['small', 'large']
  const isSize = (name: string): name is SizeName => name in SIZES
  return isSize(values.size)
    ? [values.size]
    : stop(`--size must be ${Object.keys(SIZES).join(', ')} or both, but is ${values.size}.`)
}

if (!isBuilt()) stop('The console is not built: run "npm run build" first.')
const parts = new Set(values.only?.split(',') ?? (values.short ? SHORT_PARTS : PARTS))
for (const part of parts)
  if (!PARTS.some((known) => known === part)) stop(`--only must be some of ${PARTS.join()}, but is ${part}.`)
// The other parts need a cloud that was read, too.
const minutes = parts.has('rounds') ? Number(values.minutes ?? (values.short ? SHORT_MINUTES : '2')) : 0

const measureSize = async (name: SizeName): Promise<MeasuredSize> => {
  const world = await prepareWorld(name)
  const show = (print: () => void): void => {
    if (!values.short) print()
  }
  try {
    const rounds = await measureRounds(world, { minutes })
    if (parts.has('rounds')) show(() => printRounds(name, rounds))
    const apis = parts.has('api') ? await measureApis(world) : []
    if (parts.has('api')) show(() => printApis(name, apis))
    if (parts.has('pages')) printPages(name, await measurePages(world))
    if (parts.has('plans')) printPlans(name, await measurePlans(world))
    if (parts.has('viewers')) printViewers(name, await measureViewers(world))
    return { hosts: world.size.hosts, rounds, apis }
  } finally {
    await world.stop()
  }
}

const measured: MeasuredSize[] = []
for (const name of sizesOf()) measured.push(await measureSize(name))
const [smaller, larger] = measured
if (smaller !== undefined && larger !== undefined) printGrowth(smaller, larger)
