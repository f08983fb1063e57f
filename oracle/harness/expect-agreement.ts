import { expect } from 'vitest'
import { type Comparison, oracleRun } from './compare-function'

const print = (line: string) => process.stdout.write(`${line}\n`)

const MIN_SHARE = 0.3

/** Runs a comparison, prints its seed and what was explained, and fails for a difference that no rule explains. */
export const expectAgreement = async (
  what: string,
  compare: (run: { seed: number; count: number }) => Promise<Comparison>,
): Promise<void> => {
  const run = oracleRun()
  print(`${what}: seed ${run.seed}, ${run.count} inputs (repeat with --seed ${run.seed})`)
  const { accepted, refused, explained, unexplained } = await compare(run)
  print(`${what}: ${accepted} accepted and ${refused} refused by OpenStack's own packages`)
  for (const [reason, count] of explained) print(`${what}: ${count} differ, because ${reason}`)
  for (const difference of unexplained) print(`${what}: unexplained ${JSON.stringify(difference)}`)
  expect(unexplained.length, 'differences that no rule explains; they are printed above').toBe(0)
  // A single input, for a repetition, has no shares.
  if (run.count < 100) return
  expect(accepted / run.count, 'share of accepted inputs').toBeGreaterThanOrEqual(MIN_SHARE)
  expect(refused / run.count, 'share of refused inputs').toBeGreaterThanOrEqual(MIN_SHARE)
}
