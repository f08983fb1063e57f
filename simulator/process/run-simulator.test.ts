import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RunOptions } from '@/agent/commands/run'
import { scanHost } from '@/agent/scan/scan-host'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { createAgentFleet, type RunAgent } from './agent-fleet'
import { prepareWorld, runSimulator } from './run-simulator'

let directory = ''
beforeEach(() => {
  directory = makeTemporaryDirectory('run-simulator')
})
afterEach(() => removeTree(directory))

const untilAborted = (signal: AbortSignal): Promise<'stopped'> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'), { once: true }))

/** Replaces the agent: keeps what it was started with and runs until stopped. */
const recordingAgent = () => {
  const started: RunOptions[] = []
  const runAgent: RunAgent = (options) => {
    started.push(options)
    return untilAborted(options.signal)
  }
  return { started, runAgent }
}

const fleetOptions = (runAgent: RunAgent, onWarning: (sentence: string) => void = () => undefined) => ({
  runAgent,
  serverUrl: 'http://127.0.0.1:1',
  joinToken: 'token',
  intervalSeconds: 1,
  stateDirectoryOf: (name: string) => path.join(directory, name),
  onWarning,
})

it('runs an agent per host on its tree, lets the world move and keeps it for the next start', async () => {
  const { started, runAgent } = recordingAgent()
  const stop = new AbortController()
  const prepared = prepareWorld({ directory, seed: 3, hostCount: 1 })
  const ended = runSimulator({
    ...fleetOptions(runAgent),
    prepared,
    signal: stop.signal,
  })
  await vi.waitFor(() => expect(started).toHaveLength(1), 3000)
  const [options] = started
  expect(options).toMatchObject({ hostName: 'cmp-r2-07', joinToken: 'token', intervalSeconds: 1 })
  const root = options?.root ?? ''
  expect((await scanHost({ root, hostName: 'cmp-r2-07' })).gpus).toHaveLength(9)

  const before = prepared.world.hosts[0]?.living.spec()
  const [uuid = ''] = readdirSync(path.join(root, '/sys/bus/mdev/devices')).filter(
    (candidate) => !before?.guests.some((guest) => guest.mdevs.includes(candidate)),
  )
  writeFileSync(path.join(root, '/sys/bus/mdev/devices', uuid, 'remove'), '1')
  await vi.waitFor(() => expect(existsSync(path.join(root, '/sys/bus/mdev/devices', uuid))).toBe(false), 5000)

  stop.abort()
  await ended
  const again = prepareWorld({ directory, seed: 3, hostCount: 1 })
  expect(again.world.hosts[0]?.living.spec().guests).toEqual(prepared.world.hosts[0]?.living.spec().guests)
  expect(existsSync(path.join(root, '/sys/bus/mdev/devices', uuid))).toBe(false)
  const other = prepareWorld({ directory, seed: 4, hostCount: 1 })
  expect(other.world.hosts[0]?.living.spec().guests).not.toEqual(again.world.hosts[0]?.living.spec().guests)
}, 30_000)

it('never runs two agents for one host, and starts one again only when the first has ended', async () => {
  const { started, runAgent } = recordingAgent()
  const fleet = createAgentFleet(fleetOptions(runAgent))
  const host = { name: 'a', root: '/' }
  fleet.set(host, true)
  fleet.set(host, true)
  expect(started).toHaveLength(1)
  fleet.set(host, false)
  fleet.set(host, true)
  expect(started).toHaveLength(1)
  await vi.waitFor(() => {
    fleet.set(host, true)
    expect(started).toHaveLength(2)
  })
  await fleet.close()
  expect(started.every((options) => options.signal.aborted)).toBe(true)
})

it('logs whose agent ended and why', async () => {
  const warnings: string[] = []
  const fleet = createAgentFleet(
    fleetOptions(
      () => Promise.reject(new Error('no join token')),
      (sentence) => warnings.push(sentence),
    ),
  )
  fleet.set({ name: 'a', root: '/' }, true)
  await fleet.close()
  expect(warnings).toEqual(['a: the agent ended: no join token'])
})
