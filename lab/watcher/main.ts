/** `tsx lab/watcher/main.ts FOLDER`: the process beside one lab host's nova-compute. LAB_RELEASE names the release. */
import { isLabRelease } from './releases'
import { watchHost } from './watch-host'

const LOOK_EVERY_MS = 300

const [folder] = process.argv.slice(2)
const release = process.env.LAB_RELEASE ?? 'zed'
if (folder === undefined || !isLabRelease(release)) {
  throw new Error('usage: main.ts FOLDER, with LAB_RELEASE zed or 2025.1')
}
const { look } = watchHost({
  folder,
  release,
  log: (line) => process.stderr.write(`${new Date().toISOString()} ${line}\n`),
})
look()
setInterval(look, LOOK_EVERY_MS)
