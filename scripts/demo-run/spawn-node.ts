import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/**
 * Ends the child, or its group, when its parent is gone, however that happened. Loaded in front of the program, which knows
 * nothing of it. In a separate thread, since the program may compute for a minute without looking at its events.
 */
const endWithParent = (target: 'process.pid' | '-process.pid'): string => {
  const watch = `setInterval(()=>{if(process.ppid!==${process.pid})process.kill(${target},"SIGTERM")},300)`
  const code = `import{Worker,isMainThread}from"node:worker_threads";if(isMainThread)new Worker(${JSON.stringify(watch)},{eval:true,execArgv:[]}).unref()`
  return `data:text/javascript,${encodeURIComponent(code)}`
}

type NodeOptions = Pick<SpawnOptions, 'cwd' | 'env'> & {
  stdio: [stdout: 'inherit' | 'pipe', stderr: 'pipe']
  /** A signal of the terminal then reaches only us, and we pass it on once and in order. */
  hasOwnGroup: boolean
}

const leaders = new WeakSet<ChildProcess>()

/** Node as a child that lives no longer than this process. */
export const spawnNode = (
  args: readonly string[],
  { stdio, hasOwnGroup, ...options }: NodeOptions,
): ChildProcess => {
  const hook = endWithParent(hasOwnGroup ? '-process.pid' : 'process.pid')
  const child = spawn(process.execPath, ['--import', hook, ...args], {
    ...options,
    stdio: ['ignore', ...stdio],
    detached: hasOwnGroup,
  })
  if (hasOwnGroup) leaders.add(child)
  return child
}

/** Signals the child, and where it leads a group, all that it has started. */
export const signalChild = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    process.kill(leaders.has(child) ? -child.pid : child.pid, signal)
  } catch (error) {
    // ESRCH: none of them lives any more.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Ends the child, and all that it has started in its group, as soon as the signal aborts. */
export const endWith = (child: ChildProcess, signal: AbortSignal): void => {
  const end = (): void => signalChild(child, 'SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  child.once('exit', () => signal.removeEventListener('abort', end))
  if (signal.aborted) end()
}
