/** `tsx scripts/sum-counts.ts FILE...`: the closing line of several runs, from the counts that they left. */
import { closingLine, sumCounts } from './testing/close-run'

const sum = sumCounts(process.argv.slice(2))
process.stdout.write(`${closingLine(sum)}\n`)
process.exitCode = sum.failed === 0 ? 0 : 1
