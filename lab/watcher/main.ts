/** `tsx lab/watcher/main.ts FOLDER`: the process next to one lab host's nova-compute. lab/env.sh gives LAB_HOME and the rest. */
import path from 'node:path'
import { isLabRelease } from './releases'
import { watchHost } from './watch-host'

const LOOK_EVERY_MS = 300

const [folder] = process.argv.slice(2)
const {
  LAB_RELEASE: release = 'zed',
  LAB_HOME: home,
  LAB_STATE: state,
  LAB_ROOT: root = '',
  LAB_NOVA_VERSION: novaVersion,
} = process.env
if (
  folder === undefined ||
  home === undefined ||
  state === undefined ||
  novaVersion === undefined ||
  !isLabRelease(release)
) {
  throw new Error(
    'usage: main.ts FOLDER, with LAB_HOME, LAB_STATE and LAB_RELEASE of lab/env.sh, and LAB_NOVA_VERSION',
  )
}
const host = path.basename(folder)
const { look } = watchHost({
  folder,
  release,
  novaVersion,
  nova: {
    pidFile: path.join(state, 'pid', `compute-${host}`),
    restartScript: `#!/bin/sh\nLAB_RELEASE='${release}' LAB_STATE='${state}' LAB_ROOT='${root}' exec bash '${home}/restart-compute.sh' '${host}'\n`,
  },
  log: (line) => process.stderr.write(`${new Date().toISOString()} ${line}\n`),
})
look()
setInterval(look, LOOK_EVERY_MS)
