/** Takes the lock of a data folder, reports it, and keeps it until it is killed. */
import { lockDataDirectory } from '../../database/lock-data-directory'

const [directory = ''] = process.argv.slice(2)
try {
  await lockDataDirectory(directory)
  process.stdout.write('locked\n')
} catch (error) {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : String(error)}\n`)
}
process.stdin.resume()
