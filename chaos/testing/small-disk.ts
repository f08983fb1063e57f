import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const MIB = 2 ** 20

/** A separate disk in memory. */
export type SmallDisk = {
  directory: string
  freeMib: () => number
  /** Fills it until so much is left; what was filled before counts as free. */
  fillTo: (leftMib: number) => void
  /** Takes away what filled it. */
  clear: () => void
  remove: () => void
}

/** Null where this process may not mount anything. */
export const createSmallDisk = (mib: number): SmallDisk | null => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliceboard-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', directory])
  if (mounted.status !== 0) {
    rmdirSync(directory)
    return null
  }
  chmodSync(directory, 0o755)
  const ballast = path.join(directory, 'ballast')
  const freeMib = () => {
    const { bavail, bsize } = statfsSync(directory)
    return (bavail * bsize) / MIB
  }
  const clear = () => rmSync(ballast, { force: true })
  return {
    directory,
    freeMib,
    fillTo: (leftMib) => {
      clear()
      writeFileSync(ballast, Buffer.alloc(Math.max(0, Math.floor((freeMib() - leftMib) * MIB))))
    },
    clear,
    remove: () => {
      execFileSync('umount', ['-l', directory])
      if (existsSync(directory)) rmdirSync(directory)
    },
  }
}

/** Whether this process may mount a disk. */
export const canMount = (): boolean => {
  const disk = createSmallDisk(1)
  disk?.remove()
  return disk !== null
}
