/** `tsx lab/count-report.ts FILE STATUS`: one line of counts from the runner's report, as `npm test` ends with. */
import { countReport } from '@/scripts/testing/count-reports'

const [file = '', status = '1'] = process.argv.slice(2)
const counts = countReport(file)
// A runner may fail without a failed test: that is a failure too.
const failed = counts.failed === 0 && status !== '0' ? 1 : counts.failed
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
process.stdout.write(`${counts.passed} passed, ${failed} failed${skipped}\n`)
process.exitCode = failed === 0 ? 0 : 1
