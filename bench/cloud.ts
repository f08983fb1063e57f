/**
 * `npm run bench:cloud [-- --size small|large|both|short --only rounds|api --minutes 2]`: a cloud from the simulator's parts, read and
 * served by the built console on a PostgreSQL of the benchmark's own, the simulated OpenStack in another process.
 */
import { parseArgs } from 'node:util'
import { measureApis } from './cloud/measure-apis'
import { type MeasuredRounds, measureRounds } from './cloud/measure-rounds'
import { prepareWorld } from './cloud/prepare-world'
import { printApis, printRoundRatios, printRounds } from './cloud/print-figures'
import { SIZES, type SizeName } from './cloud/sizes'
import { isBuilt } from './fleet/console-process'

const PARTS = ['rounds', 'api'] as const

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    only: { type: 'string', default: PARTS.join() },
    minutes: { type: 'string', default: '2' },
  },
})

const stop = (message: string): never => {
  console.error(message)
  process.exit(1)
}
if (!isBuilt()) stop('The console is not built: run "npm run build" first.')
const isSize = (name: string): name is SizeName => name in SIZES
const names = values.size === 'both' ? ['small', 'large'] : [values.size]
const parts = new Set(values.only.split(','))
for (const part of parts)
  if (!PARTS.some((known) => known === part)) stop(`--only must be ${PARTS.join(' or ')}, but is ${part}.`)

const measured: { hosts: number; rounds: MeasuredRounds }[] = []
for (const name of names) {
  if (!isSize(name)) stop(`--size must be ${Object.keys(SIZES).join(', ')} or both, but is ${name}.`)
  else {
    const world = await prepareWorld(name)
    try {
      // The API needs a cloud that was read, too.
      const minutes = parts.has('rounds') ? Number(values.minutes) : 0
      const rounds = await measureRounds(world, { minutes })
      measured.push({ hosts: world.size.hosts, rounds })
      if (parts.has('rounds')) printRounds(name, rounds)
      if (parts.has('api')) printApis(name, await measureApis(world))
    } finally {
      await world.stop()
    }
  }
}
const [small, large] = measured
if (parts.has('rounds') && small !== undefined && large !== undefined)
  printRoundRatios(small.rounds, large.rounds, large.hosts / small.hosts)
