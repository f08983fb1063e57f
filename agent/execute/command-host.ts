import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { COMMAND_LIMITS } from '@/lib/schemas/agent/command'
import { errorCode, isAbsent } from '../collect/host-error'
import { createHostFiles, type HostFiles } from '../collect/host-files'
import { createHostPaths } from '../collect/host-paths'
import { isMissingProgram } from '../collect/missing-program'
import { createProblemLog, type ProblemLog } from '../collect/problem-log'
import type { CommandSettings } from './command-settings'
import { locateOwn, type OwnFile, pathOf } from './own-file'
import { Failure, Refusal, TimedOut } from './refusal'

const MAX_OUTPUT_BYTES = 1024 * 1024

const execute = (program: string, words: readonly string[], timeoutMs: number): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const options = {
      timeout: timeoutMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: { ...process.env, LC_ALL: 'C' },
    }
    execFile(program, words.slice(1), options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`
      if (error === null) resolve(output)
      else if (isMissingProgram(program, error.code)) resolve(null)
      else {
        const line = words.join(' ')
        reject(
          error.killed === true && error.code === null
            ? new TimedOut(`"${line}" gave no answer within ${timeoutMs / 1000} s.`, output)
            : new Failure(`"${line}" ended with ${error.code ?? error.signal}.`, output),
        )
      }
    })
  })

/**
 * Runs a command line without a shell; null when there is no such program. Throws `Failure` when it fails. With `locate`
 * only a program of the tree itself is run, never one of this machine.
 */
const runLine = async (
  words: readonly string[],
  { locate, timeoutMs }: { locate: ((file: string) => string) | null; timeoutMs: number },
): Promise<string | null> => {
  const [program = ''] = words
  if (locate === null) return execute(program, words, timeoutMs)
  if (!program.startsWith('/')) return null
  try {
    return await execute(locate(program), words, timeoutMs)
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** What a command may reach of its host. Every path is the host's own and lies below `--root`. */
export type CommandHost = {
  settings: CommandSettings
  /** Folders with guest XML instead of the known ones. */
  guestXml: readonly string[] | undefined
  /** Files or folders of nova.conf instead of the known ones. */
  novaConfig: readonly string[] | undefined
  isWholeMachine: boolean
  /** Reads again; `problems` lists what it could not read. */
  look: () => { files: HostFiles; problems: ProblemLog }
  /** Bytes of a file; null when it is not there. Refuses what is no plain file. */
  readPlain: (file: string | OwnFile) => Buffer | null
  /** Writes into an attribute of sysfs that is there, in one piece. */
  writeAttribute: (file: string, text: string) => void
  /** The old file or the new one, never a part of it, through a power loss too. */
  replaceFile: (file: OwnFile, content: string) => void
  removeFile: (file: OwnFile) => void
  /** Creates the folders of a file that are missing. */
  makeFolders: (file: OwnFile) => void
  /** Waits until `check` holds; false when it does not within the time of the host. */
  until: (check: () => boolean) => Promise<boolean>
  /** Runs a command line and gives what it printed; null when there is no such program. In a tree: only the tree's own. */
  run: (words: readonly string[]) => Promise<string | null>
}

export type CommandHostOptions = {
  root: string
  settings: CommandSettings
  guestXml?: readonly string[] | undefined
  novaConfig?: readonly string[] | undefined
  /** How long to wait for the kernel, or for its simulation in a tree. */
  patienceMs?: number
  /** How long a program may run. */
  programMs?: number
  /** A moment between two looks. */
  pause?: () => Promise<void>
}

const PATIENCE_MS = 20_000
const PAUSE_MS = 50

const { O_WRONLY, O_NOFOLLOW, O_CREAT, O_EXCL, O_TRUNC } = fs.constants

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

const syncFolder = (folder: string): void => {
  const fd = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

const writeAll = (fd: number, text: string): void => {
  try {
    fs.writeSync(fd, text)
    fs.fsyncSync(fd)
  } catch (error) {
    // sysfs attributes have nothing to sync.
    if (errorCode(error) !== 'EINVAL') throw error
  } finally {
    fs.closeSync(fd)
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const createCommandHost = ({
  root,
  settings,
  guestXml,
  novaConfig,
  patienceMs = PATIENCE_MS,
  programMs = COMMAND_LIMITS.programMs,
  pause = () => sleep(PAUSE_MS),
}: CommandHostOptions): CommandHost => {
  const isWholeMachine = root === '/'

  /** Where a file lies on this machine; a link at its end is refused, links on the way stay below the root. */
  const diskPathOf = (file: string | OwnFile): string => {
    const paths = createHostPaths(root, fs)
    return typeof file === 'string'
      ? paths.onDisk(paths.withoutParentLinks(file))
      : locateOwn(file, { paths, lstat: fs.lstatSync })
  }

  const until = async (check: () => boolean): Promise<boolean> => {
    const endMs = performance.now() + patienceMs
    for (let pauses = 0; !check(); pauses++) {
      // However slow the host is, it gets one pause.
      if (pauses > 0 && performance.now() > endMs) return false
      await pause()
    }
    return true
  }

  const replaceFile = (diskPath: string, content: string): void => {
    const held = fs.lstatSync(diskPath, { throwIfNoEntry: false })
    const temporary = `${diskPath}.${randomUUID()}.tmp`
    try {
      const fd = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
      // What was there keeps its owner and mode: nova must still be able to read it, and no other user may start to.
      if (held !== undefined) {
        fs.fchownSync(fd, held.uid, held.gid)
        fs.fchmodSync(fd, held.mode & 0o7777)
      } else fs.fchmodSync(fd, 0o644)
      writeAll(fd, content)
      fs.renameSync(temporary, diskPath)
    } catch (error) {
      fs.rmSync(temporary, { force: true })
      throw error
    }
    syncFolder(path.dirname(diskPath))
  }

  const shown = (file: string | OwnFile): string => (typeof file === 'string' ? file : pathOf(file))

  const attempt = (file: string | OwnFile, done: string, work: (diskPath: string) => void): void => {
    try {
      work(diskPathOf(file))
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw new Failure(`${shown(file)} could not be ${done}: ${errorCode(error)}.`)
    }
  }

  const makeOne = (diskPath: string): void => {
    if (fs.statSync(diskPath, { throwIfNoEntry: false })?.isDirectory() !== true)
      fs.mkdirSync(diskPath, { mode: 0o755 })
  }

  return {
    settings,
    guestXml,
    novaConfig,
    isWholeMachine,
    look: () => {
      const problems = createProblemLog()
      return { files: createHostFiles({ root, problems }), problems }
    },
    readPlain: (file) => {
      try {
        const diskPath = diskPathOf(file)
        if (!fs.lstatSync(diskPath).isFile())
          throw new Refusal(`${shown(file)} is no plain file on this host.`)
        return fs.readFileSync(diskPath)
      } catch (error) {
        if (isAbsent(error)) return null
        if (error instanceof Refusal) throw error
        throw new Refusal(`${shown(file)} could not be read on this host (${errorCode(error)}).`)
      }
    },
    writeAttribute: (file, text) => {
      if (!file.startsWith('/sys/'))
        throw new Refusal(`${file} is no attribute of sysfs, so nothing was written.`)
      try {
        writeAll(fs.openSync(diskPathOf(file), O_WRONLY | O_TRUNC | O_NOFOLLOW), text)
      } catch (error) {
        throw new Failure(`"${text}" could not be written to ${file}: ${errorCode(error)}.`)
      }
    },
    replaceFile: (file, content) => attempt(file, 'written', (diskPath) => replaceFile(diskPath, content)),
    removeFile: (file) =>
      attempt(file, 'removed', (diskPath) => {
        try {
          fs.unlinkSync(diskPath)
        } catch (error) {
          if (isAbsent(error)) return
          throw error
        }
        syncFolder(path.dirname(diskPath))
      }),
    makeFolders: (file) => {
      attempt(file.folder, 'created', makeOne)
      for (let depth = 1; depth < file.names.length; depth++)
        attempt({ ...file, names: file.names.slice(0, depth) }, 'created', makeOne)
    },
    until,
    run: (words) => runLine(words, { locate: isWholeMachine ? null : diskPathOf, timeoutMs: programMs }),
  }
}
