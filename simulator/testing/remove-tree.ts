import { spawnSync } from 'node:child_process'

/**
 * Removes a folder with hosts' trees, or does nothing when it is not there. Node removes such thousands of small files one by
 * one in JavaScript, which takes twice the processor that `rm` takes with its own start; for a few files `rmSync` is cheaper.
 */
export const removeTree = (folder: string): void => {
  const { status, stderr } = spawnSync('rm', ['-rf', '--', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${folder} could not be removed: ${stderr}`)
}
