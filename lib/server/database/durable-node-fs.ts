import 'server-only'
import { fsyncSync } from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { BINARY_BYTES, READ_BYTES } from './binary-bytes'

type EmscriptenModule = {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } }
}

/**
 * PGlite's folder on disk, with fsync. As it comes, PGlite runs PostgreSQL with fsync off and Emscripten's NODEFS has no
 * fsync at all: a commit would survive the death of the process, but not that of the machine.
 */
class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const result = await super.init(...args)
    result.emscriptenOpts.preRun?.push((module) => {
      const { NODEFS } = module as unknown as EmscriptenModule
      NODEFS.stream_ops.fsync = (stream) => {
        fsyncSync(stream.nfd)
        return 0
      }
    })
    return result
  }
}

/**
 * For PGlite's `startParams`. Its default of 128 MB is zeroed at a start, and the process then keeps it; pages that do
 * not fit are read from the kernel's cache of the folder's files.
 */
export const SMALL_BUFFERS = ['-c', 'shared_buffers=32MB']

// `-F` turns fsync off; Emscripten's fdatasync does nothing, its fsync calls the function above.
const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  ...SMALL_BUFFERS,
]

export const durableOptions = (directory: string): PGliteOptions => ({
  fs: new DurableNodeFS(directory),
  startParams: DURABLE_START_PARAMS,
  relaxedDurability: false,
  serializers: BINARY_BYTES,
  parsers: READ_BYTES,
})
