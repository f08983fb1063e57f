/**
 * `npm run test:chaos -- [--long] [--rest] [R6 R7 …]`: causes the faults of docs/reliability.md. Each scenario prints what it
 * did and how often; its control is a test among the others, which fails when the checker sees nothing.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPostgresBinaries, startPrivatePostgres } from '../lib/server/testing/private-postgres'
import { type Chosen, chooseScenarios } from './chaos-run/choose'
import type { Scenario, ScenarioRun } from './chaos-run/scenarios'
import { closeRun } from './testing/close-run'
import { countReport, type TestCounts } from './testing/count-reports'
import { listFailures } from './testing/list-failures'
import { runStep } from './testing/run-step'

const reports = mkdtempSync(path.join(tmpdir(), 'sliceboard-chaos-'))
const totals: TestCounts = { passed: 0, failed: 0, skipped: 0 }
const lines: string[] = []
const failures: string[] = []

const add = (counts: TestCounts) => {
  totals.passed += counts.passed
  totals.failed += counts.failed
  totals.skipped += counts.skipped
}

const runTests = async (
  { id, title }: Scenario,
  run: ScenarioRun,
  { report, env }: { report: string; env: Record<string, string> },
) => {
  const projectArgs =
    run.project === 'chaos' ? ['--config', 'chaos/vitest.config.ts'] : ['--project', run.project]
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['vitest', 'run', ...projectArgs, ...reporters, ...run.files]
  const name = `${id} ${title}${run.onPostgres ? ', on PostgreSQL' : ''}`
  const outcome = await runStep({ name, command: 'npx', args, env })
  const counts = countReport(report)
  add(outcome.isOk || counts.failed > 0 ? counts : { ...counts, failed: 1 })
  lines.push(
    `${outcome.isOk ? 'ok    ' : 'FAILED'} ${name}: ${counts.passed} passed, ${counts.skipped} skipped (${outcome.seconds} s)`,
  )
  failures.push(...listFailures(report).map((failure) => `── ${name}: ${failure}`))
}

const play = async (scenario: Scenario, isLong: boolean) => {
  for (const [projectArgs, run] of scenario.runs.entries()) {
    const report = path.join(reports, `${scenario.id}-${projectArgs}.json`)
    const env = isLong ? { ...run.long } : {}
    if (!run.onPostgres) {
      await runTests(scenario, run, { report, env })
      continue
    }
    const binaries = findPostgresBinaries()
    if (binaries === null) {
      lines.push(`FAILED ${scenario.id}: install PostgreSQL with "sudo apt-get install postgresql".`)
      add({ passed: 0, failed: 1, skipped: 0 })
      continue
    }
    const postgres = await startPrivatePostgres(binaries)
    try {
      await runTests(scenario, run, { report, env: { ...env, TEST_DATABASE_URL: postgres.url } })
    } finally {
      await postgres.stop()
    }
  }
}

const readArguments = (): Chosen | null => {
  try {
    return chooseScenarios(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return null
  }
}

const chosen = readArguments()
if (chosen === null) process.exitCode = 2
else {
  for (const scenario of chosen.scenarios) await play(scenario, chosen.isLong)
  process.stdout.write(`\n${[...lines, ...failures].join('\n')}\n`)
  closeRun(totals)
}
