/** `tsx lab/count-report.ts FILE STATUS`: ends the lab's run as `npm test` ends, with the counts of the runner's report. */
import { closeRun } from '@/scripts/testing/close-run'
import { countReport } from '@/scripts/testing/count-reports'

const [file = '', status = '1'] = process.argv.slice(2)
const counts = countReport(file)
// A runner may fail without a failed test: that is a failure too.
closeRun(counts.failed === 0 && status !== '0' ? { ...counts, failed: 1 } : counts)
