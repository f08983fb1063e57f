/**
 * `npm run lab:releases [-- RELEASE…]`: runs the whole lab suite on each release, one after the other, and prints one
 * line per release. A release on which every test passed is added to lab/verified-releases.json and docs/findings.md.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { closingLine, sumCounts } from '@/scripts/testing/close-run'
import { isLabRelease, SYSTEMS } from '../watcher/releases'
import { type ReleaseRun, readRun } from './read-run'
import { addVerified, verifiedReleasesSchema } from './verified-releases'

const lab = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const root = path.dirname(lab)
const logs = path.join(root, '.lab-releases')
const verifiedFile = path.join(lab, 'verified-releases.json')

/** Each release has its own folders. LAB_BASE_PORT can be given: one release runs at a time. */
const OF_ONE_LAB = ['LAB_STATE', 'LAB_ROOT', 'LAB_SHARE']

const runRelease = (name: string): ReleaseRun => {
  const log = path.join(logs, `${name}.log`)
  const countsFile = path.join(logs, `${name}.json`)
  rmSync(countsFile, { force: true })
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    LAB_RELEASE: name,
    SLICEBOARD_LONG: '1',
    TEST_COUNTS_FILE: countsFile,
  }
  for (const variable of OF_ONE_LAB) delete env[variable]
  const file = openSync(log, 'w')
  spawnSync('bash', [path.join(lab, 'ci.sh')], { cwd: root, env, stdio: ['ignore', file, file] })
  closeSync(file)
  return readRun({ output: readFileSync(log, 'utf8'), counts: sumCounts([countsFile]) })
}

const formatRun = (name: string, run: ReleaseRun): string => {
  if (run.kind === 'skipped') return `${name}: SKIPPED: ${run.reason}`
  return `${name}: Nova ${run.nova ?? 'did not start'}: ${closingLine(run.counts)}; log: .lab-releases/${name}.log`
}

const record = (name: string, run: ReleaseRun): void => {
  const before = verifiedReleasesSchema.parse(JSON.parse(readFileSync(verifiedFile, 'utf8')))
  const after = JSON.stringify(addVerified(before, { name, run }), null, 2)
  if (after === JSON.stringify(before, null, 2)) return
  writeFileSync(verifiedFile, `${after}\n`)
  spawnSync('npm', ['run', '--silent', 'docs:findings'], { cwd: root, stdio: 'inherit' })
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SYSTEMS)
const unknown = names.find((name) => !isLabRelease(name))
if (unknown === undefined) {
  mkdirSync(logs, { recursive: true })
  for (const name of names) {
    const run = runRelease(name)
    process.stdout.write(`${formatRun(name, run)}\n`)
    if (run.kind === 'finished' && run.counts.failed > 0) process.exitCode = 1
    record(name, run)
  }
} else {
  process.stderr.write(`${unknown} is not a release of the lab; it has ${Object.keys(SYSTEMS).join(', ')}.\n`)
  process.exitCode = 2
}
