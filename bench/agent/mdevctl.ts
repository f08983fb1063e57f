import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { isInstalled, outputOf } from './measure'

/** How mdevctl is pointed at the tree: a prefix for the command line, or the reason why it cannot be. */
export type Mdevctl = { prefix: string; version: string } | { reason: string }

/** The program and its libraries inside the tree, so that it runs with the tree as its root. */
const copyInto = (root: string, program: string): void => {
  const libraries = outputOf(`ldd ${program}`).match(/\/\S+/g) ?? []
  for (const file of [program, ...libraries]) {
    const target = path.join(root, file)
    mkdirSync(path.dirname(target), { recursive: true })
    copyFileSync(file, target)
  }
}

const countTypes = (prefix: string): number =>
  outputOf(`${prefix} types`).split('Available instances').length - 1

/**
 * mdevctl 1.3 and newer read MDEVCTL_ENV_ROOT; Debian 12's 1.2 always reads /, so it gets the tree as its root with chroot,
 * which only root may do.
 */
export const pointMdevctl = (root: string): Mdevctl => {
  if (!isInstalled('mdevctl'))
    return { reason: 'mdevctl is not installed; "apt-get install mdevctl" brings it.' }
  const version = outputOf('mdevctl --version').trim()
  for (const folder of ['/etc/mdevctl.d/scripts.d/callouts', '/etc/mdevctl.d/scripts.d/notifiers'])
    mkdirSync(path.join(root, folder), { recursive: true })
  const byVariable = `env MDEVCTL_ENV_ROOT=${root} mdevctl`
  if (countTypes(byVariable) > 0) return { prefix: byVariable, version }
  if (process.getuid?.() !== 0)
    return { reason: `${version} reads / only; as root the benchmark gives it the tree with chroot.` }
  const program = outputOf('command -v mdevctl').trim()
  copyInto(root, program)
  return { prefix: `chroot ${root} ${program}`, version: `${version}, in a chroot` }
}
