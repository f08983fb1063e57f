/** `npm run budgets [-- --all]`: after a build, the script of each route's first load against its budget. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUDGETS_FILE, overBudget, type RouteScript, type ScriptBudgets } from './budgets/over-budget'

const root = join(import.meta.dirname, '..')
const STATS = join(root, '.next', 'diagnostics', 'route-bundle-stats.json')

type RouteStats = { route: string; firstLoadChunkPaths: string[] }

const sizes = new Map<string, number>()
const gzippedBytes = (path: string): number => {
  const known = sizes.get(path) ?? gzipSync(readFileSync(join(root, path))).length
  sizes.set(path, known)
  return known
}

if (!existsSync(STATS)) {
  console.error('There is no build to weigh: run "npm run build" first.')
  process.exit(1)
}
const stats = JSON.parse(readFileSync(STATS, 'utf8')) as RouteStats[]
const budgets = JSON.parse(readFileSync(join(root, BUDGETS_FILE), 'utf8')) as ScriptBudgets
const routes: RouteScript[] = stats.map(({ route, firstLoadChunkPaths }) => ({
  route,
  kb: firstLoadChunkPaths.reduce((sum, path) => sum + gzippedBytes(path), 0) / 1000,
}))
if (process.argv.includes('--all'))
  for (const { route, kb } of routes.toSorted((a, b) => b.kb - a.kb))
    console.log(`${kb.toFixed(1).padStart(7)} kB of ${budgets[route] ?? budgets['*']}  ${route}`)
const problems = overBudget(routes, budgets)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`${routes.length} routes are within their budgets of script.`)
