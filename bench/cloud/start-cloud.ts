import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CloudAnswer, CloudRequest } from './cloud-process'
import type { SizeName } from './sizes'

const root = join(import.meta.dirname, '..', '..')

export type CloudProcess = {
  authUrl: string
  /** The id of a GPU flavor. */
  flavor: string
  /** All hosts send their report to the console at the port. */
  report: (port: number) => Promise<void>
  /** All hosts but the silent ones send a heartbeat. */
  beat: (port: number) => Promise<void>
  /** For a while servers come and go, and hosts report it. */
  move: (port: number, ms: number) => Promise<void>
  stop: () => Promise<void>
}

/** The simulated OpenStack and its hosts, in another process. */
export const startCloud = async (size: SizeName): Promise<CloudProcess> => {
  const child = fork(join(import.meta.dirname, 'cloud-process.ts'), [size], {
    cwd: root,
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.server.json') },
  })
  const ended = once(child, 'exit')
  const next = async (): Promise<CloudAnswer> => {
    const [content] = (await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('The process of the simulated cloud ended early.'))),
    ])) as [CloudAnswer]
    return content
  }
  const ask = (request: CloudRequest): Promise<CloudAnswer> => {
    child.send(request)
    return next()
  }
  const first = await next()
  if (!('authUrl' in first)) throw new Error('The simulated cloud did not send its address.')
  return {
    ...first,
    report: async (port) => {
      await ask({ do: 'report', port })
    },
    beat: async (port) => {
      await ask({ do: 'beat', port })
    },
    move: async (port, ms) => {
      await ask({ do: 'move', port, ms })
    },
    stop: async () => {
      child.send({ do: 'stop' } satisfies CloudRequest)
      await ended
    },
  }
}
