import 'server-only'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'

const BLOCK = 512
const DIRECTORY = '5'
const FILES = ['0', '\0']

const text = (header: Buffer, start: number, end: number): string =>
  header.toString('latin1', start, end).replace(/\0.*$/s, '')

type Entry = { name: string; type: string; size: number }

// POSIX ustar: name at 0, size in octal at 124, type at 156, the name's front part at 345.
const readHeader = (header: Buffer): Entry => ({
  name: join(text(header, 345, 500), text(header, 0, 100)),
  size: Number.parseInt(text(header, 124, 136).trim() || '0', 8),
  type: String.fromCharCode(header[156] ?? 0),
})

/**
 * Unpacks a tar of plain files and folders, as PGlite dumps its cluster, and syncs it to the disk. Anything else in it is
 * an error. Synchronous, because nothing else runs yet and a thousand small files are three times as fast this way.
 */
export const extractTar = (tar: Buffer, directory: string): void => {
  mkdirSync(directory, { mode: 0o700 })
  for (let offset = 0; offset + BLOCK <= tar.length; ) {
    const header = tar.subarray(offset, offset + BLOCK)
    if (header[0] === 0) return
    const { name, size, type } = readHeader(header)
    const path = join(directory, normalize(`/${name}`))
    const start = offset + BLOCK
    if (type === DIRECTORY) mkdirSync(path, { recursive: true, mode: 0o700 })
    else if (FILES.includes(type) && start + size <= tar.length) {
      writeFileSync(path, tar.subarray(start, start + size), { mode: 0o600, flush: true })
    } else throw new Error(`The entry ${name} of the tar file is cut off or of the unknown type ${type}.`)
    offset = start + Math.ceil(size / BLOCK) * BLOCK
  }
  throw new Error('The tar file is cut off.')
}
