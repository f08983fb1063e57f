import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type RunOptions, type RunResult, runAgent } from '../commands/run'
import { createLoopbackConsole, type LoopbackConsole } from './loopback-console'
import { writeTinyHost } from './tiny-host'

export const TOKEN = 'sbjt_1_token'
export const HOST_NAME = 'compute-07'

type Running = { stop: () => Promise<RunResult> }

export type AgentHarness = {
  served: LoopbackConsole
  state: string
  lines: string[]
  /** Changes what the next scan finds. */
  setOs: (osName: string) => Promise<void>
  once: (options?: Partial<RunOptions>) => Promise<RunResult>
  start: (options?: Partial<RunOptions>) => Running
  until: (check: () => void | Promise<void>) => Promise<void>
  /** `kind position status` of each exchange since the last call of `forget`. */
  flow: () => string[]
  forget: () => void
  /** Operating systems of the applied reports, in order. */
  applied: () => (string | null)[]
  spooled: () => Promise<string[]>
  log: () => string
}

/** One host, one console and any number of agent runs per test; no log line may contain a secret. */
export const createAgentHarness = (): AgentHarness => {
  vi.setConfig({ testTimeout: 30_000 })
  const harness = {} as AgentHarness
  let directory = ''
  let running: Running[] = []

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'sliceboard-run-'))
    running = []
    Object.assign(harness, {
      served: await createLoopbackConsole(),
      state: path.join(directory, 'state'),
      lines: [],
    })
    await harness.setOs('one')
  })
  afterEach(async () => {
    for (const agent of running) await agent.stop()
    await harness.served.stop()
    for (const secret of [TOKEN, ...harness.served.hosts.keys()]) expect(harness.log()).not.toContain(secret)
    await rm(directory, { recursive: true, force: true })
  })

  const write = (line: string) => harness.lines.push(line)
  const optionsWith = (options: Partial<RunOptions>): RunOptions => ({
    root: path.join(directory, 'host'),
    stateDirectory: harness.state,
    serverUrl: harness.served.url(),
    joinToken: TOKEN,
    intervalSeconds: 0.02,
    timing: {
      backOffBaseMs: 4,
      backOffCapMs: 20,
      refusedWaitMs: 60_000,
      requestTimeoutMs: 2000,
      stopGraceMs: 500,
    },
    signal: new AbortController().signal,
    log: { info: write, warn: write },
    ...options,
  })

  return Object.assign(harness, {
    setOs: (osName: string) => writeTinyHost(path.join(directory, 'host'), { name: HOST_NAME, osName }),
    once: (options = {}) => runAgent(optionsWith({ isOnce: true, ...options })),
    start: (options = {}) => {
      const controller = new AbortController()
      const done = runAgent(optionsWith({ ...options, signal: controller.signal }))
      const agent = {
        stop: () => {
          controller.abort()
          return done
        },
      }
      running.push(agent)
      return agent
    },
    until: (check) => vi.waitFor(check, { timeout: 20_000, interval: 5 }),
    flow: () => harness.served.exchanges.map(({ kind, position, status }) => `${kind} ${position} ${status}`),
    forget: () => {
      harness.served.exchanges.length = 0
    },
    applied: () => harness.served.applied.map(({ inventory }) => inventory.host.osName),
    spooled: async () =>
      (await readdir(path.join(harness.state, 'spool'))).filter((name) => name.endsWith('.gz')),
    log: () => harness.lines.join('\n'),
  } satisfies Omit<AgentHarness, 'served' | 'state' | 'lines'>)
}
