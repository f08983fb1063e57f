import type { RunOptions, RunResult } from '@/agent/commands/run'
import { allowedCommands } from '@/simulator/demo-fleet/allowed-commands'

export type RunAgent = (options: RunOptions) => Promise<RunResult>

export type AgentFleet = {
  /** Starts or stops a host's agent; nothing happens when it is so already. */
  set: (host: { name: string; root: string }, isRunning: boolean) => void
  /** Stops all of them; unsent reports stay on disk. */
  close: () => Promise<void>
}

type Running = { stop: AbortController; ended: Promise<void> }

export type AgentFleetOptions = {
  runAgent: RunAgent
  serverUrl: string
  joinToken: string | null
  intervalSeconds: number
  stateDirectoryOf: (hostName: string) => string
  onWarning: (sentence: string) => void
}

/** A console that refuses is retried soon: in a demo its database may have been emptied. */
const TIMING = { backOffCapMs: 10_000, refusedWaitMs: 10_000, stopGraceMs: 1000 }

/** The real agent, once per host, all in this process. */
export const createAgentFleet = (options: AgentFleetOptions): AgentFleet => {
  const agents = new Map<string, Running>()
  const ending = new Map<string, Promise<void>>()

  const start = (host: { name: string; root: string }): void => {
    const stop = new AbortController()
    const warn = (sentence: string): void => options.onWarning(`${host.name}: ${sentence}`)
    const run = async (): Promise<void> => {
      try {
        await options.runAgent({
          root: host.root,
          hostName: host.name,
          stateDirectory: options.stateDirectoryOf(host.name),
          serverUrl: options.serverUrl,
          joinToken: options.joinToken,
          intervalSeconds: options.intervalSeconds,
          commands: allowedCommands(host.name),
          timing: TIMING,
          signal: stop.signal,
          log: { info: () => undefined, warn },
        })
      } catch (error) {
        warn(`the agent ended: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    agents.set(host.name, { stop, ended: run() })
  }

  const end = (name: string, { stop, ended }: Running): void => {
    agents.delete(name)
    stop.abort()
    ending.set(
      name,
      ended.finally(() => ending.delete(name)),
    )
  }

  return {
    set: (host, isRunning) => {
      const running = agents.get(host.name)
      if (running !== undefined && !isRunning) end(host.name, running)
      if (running === undefined && isRunning && !ending.has(host.name)) start(host)
    },
    close: async () => {
      for (const [name, running] of [...agents]) end(name, running)
      await Promise.all(ending.values())
    },
  }
}
