/**
 * `npm run test:security [-- S1 S5 …]`: the attacks of docs/security.md, all or those named, then one line for each.
 * Browser scenarios take the production build that `npm run build` left.
 */

import { SECURITY_SCENARIOS, type SecurityRun, type TestRun } from './security-run/scenarios'
import { runStep } from './testing/run-step'

const testArgs = ({ by, files, name }: TestRun): string[] =>
  by === 'browser'
    ? ['playwright', 'test', ...files, '--project=light', ...(name === undefined ? [] : ['--grep', name])]
    : ['vitest', 'run', '--project', by, ...files, ...(name === undefined ? [] : ['--testNamePattern', name])]

const commandOf = (run: SecurityRun): { command: string; args: string[]; env: Record<string, string> } =>
  run.by === 'script'
    ? { command: 'npm', args: ['run', '--silent', run.script, '--', ...(run.args ?? [])], env: {} }
    : { command: 'npx', args: testArgs(run), env: run.env ?? {} }

const wanted = process.argv.slice(2).map((id) => id.toUpperCase())
const unknown = wanted.filter((id) => !SECURITY_SCENARIOS.some((scenario) => scenario.id === id))
if (unknown.length > 0) {
  const known = SECURITY_SCENARIOS.map(({ id }) => id).join(', ')
  throw new Error(`There is no scenario ${unknown.join(', ')}: name some of ${known}, or none for all.`)
}

const lines: string[] = []
for (const { id, title, runs } of SECURITY_SCENARIOS) {
  if (wanted.length > 0 && !wanted.includes(id)) continue
  let isOk = true
  let seconds = 0
  for (const run of runs) {
    const outcome = await runStep({ name: `${id} ${run.by}`, ...commandOf(run) })
    isOk = isOk && outcome.isOk
    seconds += outcome.seconds
  }
  if (!isOk) process.exitCode = 1
  lines.push(`${isOk ? 'ok    ' : 'FAILED'} ${id} ${title} (${Math.round(seconds)} s)`)
}
process.stdout.write(`\n${lines.join('\n')}\n`)
