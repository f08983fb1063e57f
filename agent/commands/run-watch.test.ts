import { expect, test } from 'vitest'
import { createAgentHarness } from '../testing/agent-harness'
import { createHostWatch } from './run-watch'

const agent = createAgentHarness()

test('scans within some intervals of each other are one interval, at any pace', () => {
  let uptimeMs = 1_000_000
  let paceMs = 30_000
  const watch = createHostWatch({ intervalMs: () => paceMs, uptimeMs: () => uptimeMs })
  const scanAfter = (ms: number) => {
    uptimeMs += ms
    return watch.scanned()
  }
  expect(watch.current()).toBeNull()
  expect(scanAfter(0)).toBe(0)
  expect(scanAfter(30_000)).toBe(30_000)
  expect(scanAfter(90_000)).toBe(120_000)
  uptimeMs += 350
  expect(watch.current()).toEqual({ forMs: 120_000, agoMs: 350 })
  expect(scanAfter(90_000)).toBe(0)
  paceMs = 3_600_000
  expect(scanAfter(30_000)).toBe(30_000)
  paceMs = 2000
  expect(scanAfter(3_600_000)).toBe(3_630_000)
  expect(scanAfter(59_000)).toBe(3_689_000)
  expect(scanAfter(61_000)).toBe(0)
})

/** A host whose time passes only when a test advances it. */
const clockwork = () => {
  let now = 0
  return {
    uptimeMs: () => now,
    pass: (ms: number) => {
      now += ms
    },
  }
}

const watchedOf = (kind: string) =>
  agent.served.exchanges.filter((exchange) => exchange.kind === kind).map(({ watched }) => watched)

test('reports and heartbeats state for how long the host has been watched', async () => {
  const { uptimeMs, pass } = clockwork()
  agent.start({ uptimeMs })
  await agent.until(() => expect(watchedOf('heartbeat')).toContain('0'))
  expect(watchedOf('report')).toEqual(['0'])
  pass(50_000)
  await agent.until(() => expect(watchedOf('heartbeat').at(-1)).toBe('50000'))
  await agent.setOs('two')
  await agent.until(() => expect(watchedOf('report')).toEqual(['0', '50000']))
})

test('a suspended host begins again', async () => {
  const { uptimeMs, pass } = clockwork()
  agent.start({ uptimeMs })
  await agent.until(() => expect(watchedOf('heartbeat')).toContain('0'))
  pass(50_000)
  await agent.until(() => expect(watchedOf('heartbeat').at(-1)).toBe('50000'))
  pass(3_600_000)
  await agent.until(() => expect(watchedOf('heartbeat').at(-1)).toBe('0'))
})

test('a report that waited covers the time before its own scan, also after a restart of the agent', async () => {
  const { uptimeMs, pass } = clockwork()
  const first = agent.start({ uptimeMs })
  await agent.until(() => expect(watchedOf('heartbeat')).toContain('0'))
  await agent.served.stop()
  pass(40_000)
  await agent.setOs('two')
  await agent.until(async () => expect(await agent.spooled()).toHaveLength(1))
  pass(50_000)
  await first.stop()
  await agent.served.start()
  agent.forget()
  await agent.once({ uptimeMs })
  expect(agent.served.exchanges.map(({ kind, watched }) => [kind, watched])).toEqual([['report', '40000']])
})

test('a console of an earlier version takes both all the same', async () => {
  await agent.once()
  await agent.once()
  expect(agent.flow().map((line) => line.split(' ')[2])).toEqual(['201', '200', '200'])
  expect(agent.served.exchanges.at(-1)?.bytes).toBeLessThan(300)
})
