import { rmSync } from 'node:fs'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { type ConsoleProcess, startConsole } from './console-process'
import { reportHosts } from './report-hosts'

/** A console with its own database, and a folder for simulated hosts. */
export type World = {
  console: ConsoleProcess
  url: string
  /** Hosts report once, with the built agent. */
  report: (hosts: readonly HostSpec[]) => Promise<void>
  stop: () => Promise<void>
}

export const openWorld = async (env: Record<string, string> = {}): Promise<World> => {
  const folder = makeTemporaryDirectory('world')
  const console = await startConsole(env)
  return {
    console,
    url: console.url,
    report: (hosts) => reportHosts({ url: console.url, folder, hosts }),
    stop: async () => {
      await console.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
