import type * as fs from 'node:fs'
import type { HostPaths } from '../collect/host-paths'
import { Refusal } from './refusal'

/**
 * A file that a command may write: a fixed folder of the host, and names below it. Links may lead to the folder, since the
 * host's admin places it; below it none is followed.
 */
export type OwnFile = { folder: string; names: readonly string[] }

/** One name of a path: neither a parent, nor hidden, nor several names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,254}$/

export const pathOf = ({ folder, names }: OwnFile): string => [folder.replace(/\/+$/, ''), ...names].join('/')

/** Where it lies on this machine. Throws ENOENT when the folder is not there. */
export const locateOwn = (
  file: OwnFile,
  { paths, lstat }: { paths: HostPaths; lstat: typeof fs.lstatSync },
): string => {
  const odd = file.names.find((name) => !NAME.test(name))
  if (odd !== undefined || file.names.length === 0)
    throw new Refusal(`The command names a file outside of ${file.folder}, so nothing was written.`)
  let current = paths.onDisk(paths.withoutLinks(file.folder))
  for (const name of file.names.slice(0, -1)) {
    current = `${current}/${name}`
    if (lstat(current, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new Refusal(
        `${name} in ${file.folder} is a link, and the agent follows none there: replace it by a folder.`,
      )
  }
  return `${current}/${file.names.at(-1)}`
}
