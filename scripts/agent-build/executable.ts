import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import packageJson from '../../package.json'
import { bundleAgent } from './bundle'

/** Node's own mark for the place of the application (nodejs.org/api/single-executable-applications.html). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Distributions that keep Node in a shared library have no such place in the program itself. */
export const isInjectable = (node: string): boolean => readFileSync(node).includes(FUSE)

const assertInjectable = (node: string): void => {
  if (isInjectable(node)) return
  throw new Error(
    `${node} cannot carry an application (it is built around a shared library); run the build with Node from nodejs.org.`,
  )
}

/** Makes one executable of the agent and the running Node, and checks that it runs. */
export const buildExecutable = async (outfile: string): Promise<void> => {
  assertInjectable(process.execPath)
  const work = mkdtempSync(path.join(tmpdir(), 'sliceboard-executable-'))
  try {
    const main = path.join(work, 'agent.cjs')
    const blob = path.join(work, 'agent.blob')
    const config = path.join(work, 'sea.json')
    await bundleAgent({ entry: 'agent/executable.ts', format: 'cjs', outfile: main })
    writeFileSync(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true }))
    execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' })
    const draft = path.join(work, 'sliceboard-agent')
    copyFileSync(process.execPath, draft)
    inject(draft, blob)
    chmodSync(draft, 0o755)
    assertRuns(draft)
    copyFileSync(draft, outfile)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** By postject's command: it fills standard error with harmless warnings about notes in the Node binary. */
const inject = (program: string, blob: string): void => {
  const command = createRequire(import.meta.url).resolve('postject/dist/cli.js')
  const words = [command, program, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE]
  execFileSync(process.execPath, words, { stdio: 'pipe' })
}

const assertRuns = (executable: string): void => {
  const printed = execFileSync(executable, ['version'], { encoding: 'utf8', cwd: '/' }).trim()
  if (printed !== packageJson.version)
    throw new Error(`The executable prints version "${printed}" instead of "${packageJson.version}".`)
}
