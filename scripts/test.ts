/**
 * `npm test`: every check of the project in its short form, `npm run test:all` in its long one (docs/ci.md), then one closing
 * line `N passed, N failed` summed from the test runners' own reports. A check that is not a test (lint, types, layers, unused
 * code, build) counts as one test.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPostgresBinaries, startPrivatePostgres } from '../lib/server/testing/private-postgres'
import { findSecrets } from './canaries/find-secrets'
import { ensureBrowser } from './testing/browser'
import { closeRun } from './testing/close-run'
import { countReport, type TestCounts } from './testing/count-reports'
import { listFailures } from './testing/list-failures'
import { FIXED_SEED, propertyTests, randomSeed, SEED_VARIABLE } from './testing/property-seed'
import { runStep, type StepOutcome } from './testing/run-step'
import { isLong } from './testing/short-form'

const isCi = process.env.CI === 'true'
const reports = mkdtempSync(path.join(tmpdir(), 'sliceboard-reports-'))
// Its consoles write there; PostgreSQL does so as another user, so that one's folder is open.
const runLogs = path.join(reports, 'logs')
mkdirSync(path.join(runLogs, 'postgres'), { recursive: true })
for (const folder of [reports, runLogs]) chmodSync(folder, 0o711)
chmodSync(path.join(runLogs, 'postgres'), 0o777)
process.env.SLICEBOARD_RUN_LOGS = runLogs
const totals: TestCounts = { passed: 0, failed: 0, skipped: 0 }
const outcomes: StepOutcome[] = []
const notes: string[] = []
const failures: string[] = []

const add = (counts: TestCounts) => {
  totals.passed += counts.passed
  totals.failed += counts.failed
  totals.skipped += counts.skipped
}

const check = async (name: string, script: string, { isHeld = false } = {}) => {
  const outcome = await runStep({
    name,
    command: 'npm',
    args: ['run', '--silent', script],
    isHeld,
    logFolder: reports,
  })
  outcomes.push(outcome)
  add({ passed: outcome.isOk ? 1 : 0, failed: outcome.isOk ? 0 : 1, skipped: 0 })
  return outcome.isOk
}

const suite = async (name: string, args: string[], report: string, env: Record<string, string> = {}) => {
  const outcome = await runStep({ name, command: 'npx', args, env, logFolder: reports })
  outcomes.push(outcome)
  const file = path.join(reports, report)
  const counts = countReport(file)
  failures.push(...listFailures(file).map((failure) => `── ${name}: ${failure}`))
  // A runner may fail without a failed test (a broken import, an unhandled rejection): that is a failure too.
  add(outcome.isOk || counts.failed > 0 ? counts : { ...counts, failed: 1 })
}

type VitestRun = {
  name: string
  project: 'unit' | 'service'
  report: string
  seed: string
  files?: readonly string[]
  env?: Record<string, string>
}

const vitest = ({ name, project, report, seed, files = [], env = {} }: VitestRun) => {
  const output = `--outputFile.json=${path.join(reports, report)}`
  const args = [
    'vitest',
    'run',
    ...files,
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    output,
  ]
  return suite(name, args, report, { [SEED_VARIABLE]: seed, ...env })
}

/** The unit run has the fixed seed; a fault that it misses is found here sooner or later. */
const properties = () =>
  vitest({
    name: 'property tests with a random seed',
    project: 'unit',
    report: 'properties.json',
    seed: randomSeed(),
    files: propertyTests(process.cwd(), ['agent', 'app', 'components', 'lib', 'scripts', 'simulator']),
  })

const given = process.env.TEST_DATABASE_URL
const binaries = findPostgresBinaries()
const hasPostgres = given !== undefined || binaries !== null

const servicesOnPglite = () =>
  vitest({
    name: 'services on PGlite',
    project: 'service',
    report: 'pglite.json',
    seed: FIXED_SEED,
    env: { TEST_DATABASE_URL: '', SLICEBOARD_WITH_POSTGRES: hasPostgres && !isLong ? '1' : '' },
  })

const CI_ORACLE_SEED = '20261127'

/** OpenStack's own packages (docs/oracle.md). CI repeats the same inputs; other runs have a random seed. */
const oracle = async () => {
  const imports = 'import openstack.config, keystoneauth1, nova.pci.request'
  if (spawnSync('/usr/bin/python3', ['-c', imports]).status !== 0) {
    notes.push(
      'The comparison with OpenStack\'s packages did not run: install them with "sudo apt-get install python3-openstacksdk python3-nova".',
    )
    if (isCi) add({ passed: 0, failed: 1, skipped: 0 })
    return
  }
  const output = `--outputFile.json=${path.join(reports, 'oracle.json')}`
  const reporters = ['--reporter=default', '--reporter=json', output]
  await suite(
    'oracle',
    ['vitest', 'run', '--config', 'oracle/vitest.config.ts', ...reporters],
    'oracle.json',
    // A rare difference that is not known yet must not fail an unrelated change.
    isCi ? { SLICEBOARD_ORACLE_SEED: CI_ORACLE_SEED } : {},
  )
}

/** Those of docs/reliability.md that take little; the services' tests make others. */
const faults = () => {
  const output = `--outputFile.json=${path.join(reports, 'faults.json')}`
  const args = [
    'vitest',
    'run',
    '--config',
    'chaos/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    output,
  ]
  return suite('faults', args, 'faults.json', {
    TEST_DATABASE_URL: '',
    SLICEBOARD_SHORT_FAULTS: isLong ? '' : '1',
  })
}

const servicesOnPostgres = async () => {
  const name = 'services on PostgreSQL'
  const on = (url: string) =>
    vitest({
      name,
      project: 'service',
      report: 'postgres.json',
      seed: randomSeed(),
      env: { TEST_DATABASE_URL: url },
    })
  if (given) return on(given)
  if (!binaries) {
    notes.push(
      `The service tests did not run on PostgreSQL: install it with "sudo apt-get install postgresql" or set TEST_DATABASE_URL.`,
    )
    if (isCi) add({ passed: 0, failed: 1, skipped: 0 })
    return
  }
  const postgres = await startPrivatePostgres(binaries)
  try {
    await on(postgres.url)
  } finally {
    await postgres.stop()
  }
}

const browserTests = async () => {
  try {
    const browser = ensureBrowser({ isForTests: true })
    await suite('browser', ['playwright', 'test', '--reporter=list,json'], 'browser.json', {
      CHROMIUM_PATH: browser,
      PLAYWRIGHT_JSON_OUTPUT_FILE: path.join(reports, 'browser.json'),
    })
  } catch (err) {
    notes.push(err instanceof Error ? err.message : String(err))
    add({ passed: 0, failed: 1, skipped: 0 })
  }
}

/** TypeScript has one thread, and takes longer than the others together. */
const readSources = async () => {
  const types = check('types', 'types', { isHeld: true })
  await check('lint', 'lint', { isHeld: true })
  await check('layers', 'lint:layers', { isHeld: true })
  await check('unused code', 'lint:unused', { isHeld: true })
  await check('words', 'lint:words', { isHeld: true })
  await types
}

await readSources()
await vitest({ name: 'unit', project: 'unit', report: 'unit.json', seed: FIXED_SEED })
await properties()
await oracle()
await servicesOnPglite()
await servicesOnPostgres()
await faults()
if (await check('build', 'build')) {
  await check('script budgets', 'budgets')
  await browserTests()
}

/**
 * The tests' secrets in what the tests left: outputs, reports, the logs of consoles and of PostgreSQL. Not the trace that a
 * failed browser test leaves: it holds what the page showed, and a new secret is shown once.
 */
const lookForSecrets = () => {
  const { files, found } = findSecrets([reports, 'playwright-report'])
  add({ passed: found.length === 0 ? 1 : 0, failed: found.length === 0 ? 0 : 1, skipped: 0 })
  notes.push(`No secret may stand in what the tests leave: ${files} files, ${found.length} secrets.`)
  for (const { file, what } of found) notes.push(`A ${what} is in ${file}.`)
}
lookForSecrets()

process.stdout.write('\n')
for (const { name, isOk, seconds } of outcomes) {
  process.stdout.write(`${isOk ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`)
}
for (const failure of failures) process.stdout.write(`${failure}\n`)
for (const note of notes) process.stdout.write(`${note}\n`)
closeRun(totals)
