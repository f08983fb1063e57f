/**
 * `npm run bench:tenant [-- --turns 400]`: can a tenant tell by the time of answers what other projects do? Three consoles with
 * a simulated cloud each: two of the same world, and one in which other projects have 500 servers, 100 private flavors and other
 * limits. The same questions go to all three by turns. How often a guess by time alone picks the slower world right is held
 * against the same guess between the two worlds that are the same; an admin's question shows that the guess can be right.
 */
import { parseArgs } from 'node:util'
import { apiPaths, catalogPath } from '@/lib/util/paths'
import { isBuilt } from './fleet/console-process'
import { milliseconds, printTable } from './fleet/print-table'
import { median } from './quantile'
import { openTenantWorld, type TenantWorld } from './tenant/tenant-world'

const { values } = parseArgs({ options: { turns: { type: 'string', default: '400' } } })
if (!isBuilt()) {
  console.error('The console is not built: run "npm run build" first.')
  process.exit(1)
}
const turns = Number(values.turns)
const WARM_TURNS = 40

const QUESTIONS = [
  { name: 'catalogue', path: apiPaths.catalog({ limit: '24' }), who: 'tenant' },
  { name: 'own servers', path: apiPaths.ownServers(), who: 'tenant' },
  { name: 'the page', path: catalogPath(), who: 'tenant' },
  { name: 'refused: GPUs', path: apiPaths.gpus(), who: 'tenant' },
  { name: 'refused: quotas', path: apiPaths.quotas(), who: 'tenant' },
  { name: 'control: an admin’s flavors', path: apiPaths.flavors(), who: 'admin' },
] as const

/** How often, of all pairs, the second is the slower one; 0.5: no difference. */
const slower = (first: readonly number[], second: readonly number[]): number => {
  const pairs = first.flatMap((a) => second.map((b) => (b > a ? 1 : b === a ? 0.5 : 0)))
  return pairs.reduce((sum: number, one) => sum + one, 0) / pairs.length
}
/**
 * Three standard errors of `slower` where there is no difference. Two consoles of the same world differ by more than that, as two
 * processes do, so a difference counts beyond theirs only.
 */
const noise = 3 * Math.sqrt((2 * turns + 1) / (12 * turns * turns))

const timesOf = async (
  worlds: readonly TenantWorld[],
  { path, who }: (typeof QUESTIONS)[number],
): Promise<{ statuses: Set<number>; lists: number[][] }> => {
  const lists = worlds.map((): number[] => [])
  const statuses = new Set<number>()
  for (let turn = 0; turn < WARM_TURNS + turns; turn += 1)
    for (let step = 0; step < worlds.length; step += 1) {
      // Another one begins each turn, so that none always comes after the same.
      const index = (turn + step) % worlds.length
      const answer = await worlds[index]?.ask(path, who)
      if (answer === undefined) continue
      statuses.add(answer.status)
      if (turn >= WARM_TURNS) lists[index]?.push(answer.ms)
    }
  return { statuses, lists }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const worlds = [
  await openTenantWorld({ isCrowded: false }),
  await openTenantWorld({ isCrowded: false }),
  await openTenantWorld({ isCrowded: true }),
]
try {
  const catalogs = new Set(await Promise.all(worlds.map((world) => world.catalog())))
  console.log(
    `The catalog is ${catalogs.size === 1 ? 'the same to the byte' : 'DIFFERENT'} in the three worlds.`,
  )
  const rows: string[][] = []
  for (const question of QUESTIONS) {
    const { statuses, lists } = await timesOf(worlds, question)
    const [one = [], same = [], crowded = []] = lists
    const [between, found] = [slower(one, same), slower(one, crowded)]
    rows.push([
      question.name,
      [...statuses].join(', '),
      ...[one, same, crowded].map((list) => milliseconds(median(list))),
      percent(between),
      percent(found),
      Math.abs(found - 0.5) <= Math.abs(between - 0.5) + noise ? 'no' : 'YES',
    ])
  }
  printTable(`${turns} answers a world, by turns; chance alone moves a guess by up to ${percent(noise)}`, [
    ['', 'status', 'p50 of one', 'the same', 'crowded', 'guess: the same', 'guess: crowded', 'tells'],
    ...rows,
  ])
} finally {
  for (const world of worlds) await world.stop()
}
