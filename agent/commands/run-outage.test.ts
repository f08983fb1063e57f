import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createAgentHarness } from '../testing/agent-harness'

const agent = createAgentHarness()

/** Lets a running agent notice each of these one after the other while nothing can be delivered. */
const changeUnsent = async (osNames: string[], minCount = 0) => {
  for (const [index, osName] of osNames.entries()) {
    await agent.setOs(osName)
    await agent.until(async () => expect((await agent.spooled()).length).toBeGreaterThan(index + minCount))
  }
}

test('while the console is away scans wait on disk; then they go out in order, before anything newer', async () => {
  await agent.once()
  await agent.served.stop()
  agent.start()
  await changeUnsent(['two', 'three', 'four'])
  expect(agent.log()).toContain('The console was not reached: nothing listens at its address.')
  await agent.served.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'two', 'three', 'four']))
  for (const exchange of agent.flow().slice(2, 5)) expect(exchange).toMatch(/^report 2\.\d+ 200$/)
  await agent.until(() => expect(agent.log()).toContain('The console is reached again.'))
  await agent.until(async () => expect(await agent.spooled()).toEqual([]))
})

test('what waited survives starts of the agent, and an unchanged host does not queue twice', async () => {
  await agent.once()
  await agent.served.stop()
  await agent.setOs('two')
  expect(await agent.once()).toBe('undelivered')
  expect(await agent.once()).toBe('undelivered')
  await agent.setOs('three')
  expect(await agent.once()).toBe('undelivered')
  await agent.served.start()
  agent.forget()
  expect(await agent.once()).toBe('delivered')
  expect(agent.flow()).toEqual(['report 2.1 200', 'report 4.1 200'])
  expect(agent.applied()).toEqual(['one', 'two', 'three'])
})

test('a host that starts while the console is away enrolls and delivers when it is back', async () => {
  await agent.served.stop()
  agent.start()
  await changeUnsent(['two', 'three'])
  await agent.served.start()
  await agent.until(() => expect(agent.applied().slice(-2)).toEqual(['two', 'three']))
})

test('an answer that is lost on the way doubles nothing', async () => {
  let cuts = 0
  agent.served.intercept = (kind) => {
    if (kind !== 'report' || cuts === 3) return null
    cuts += 1
    return 'cut-after'
  }
  agent.start()
  await agent.until(() => expect(agent.flow()).toContain('report 1.1 200'))
  expect(agent.flow()).toEqual(['enroll  201', ...Array(3).fill('report 1.1 0'), 'report 1.1 200'])
  expect(agent.applied()).toEqual(['one'])
})

test.each([
  [429, () => '1'],
  [503, () => '1'],
  [503, () => new Date(Date.now() + 2000).toUTCString()],
])('status %d with Retry-After is obeyed', async (status, retryAfter) => {
  let isFirst = true
  agent.served.intercept = (kind) => {
    if (kind !== 'report' || !isFirst) return null
    isFirst = false
    return {
      status,
      headers: { 'retry-after': retryAfter() },
      body: { error: { message: 'Too many reports.' } },
    }
  }
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one']))
  const [, refused, taken] = agent.served.exchanges
  expect((taken?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(900)
  expect(agent.log()).toMatch(/Too many reports \(status \d+\)\. Trying again in [12]\.\d s/)
})

test('without Retry-After the waits grow', async () => {
  agent.served.intercept = (kind) => (kind === 'report' ? { status: 500 } : null)
  agent.start({ random: () => 0.99, timing: { backOffBaseMs: 20, backOffCapMs: 100_000 } })
  await agent.until(() => expect(agent.served.exchanges.length).toBeGreaterThanOrEqual(6))
  const at = agent.served.exchanges.slice(1, 6).map((exchange) => exchange.at)
  const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(0.98 * 20 * 2 ** index)
})

test('a full spool drops the oldest, and the next report counts the lost ones', async () => {
  await agent.once()
  await agent.served.stop()
  const names = ['two', 'three', 'four', 'five', 'six']
  for (const osName of names) {
    await agent.setOs(osName)
    await agent.once({ spool: { maxBytes: 1_000_000, maxReports: 3 } })
  }
  await agent.served.start()
  await agent.setOs('seven')
  await agent.once()
  expect(agent.applied()).toEqual(['one', 'four', 'five', 'six', 'seven'])
  expect(agent.served.applied.at(-1)?.droppedReports).toBe(2)
})

test('a damaged unsent report does not hold up the others and is counted', async () => {
  await agent.once()
  await agent.served.stop()
  for (const osName of ['two', 'three']) {
    await agent.setOs(osName)
    await agent.once()
  }
  const [first = ''] = await agent.spooled()
  await writeFile(path.join(agent.state, 'spool', first), 'damaged')
  await agent.served.start()
  await agent.setOs('four')
  await agent.once()
  await agent.setOs('five')
  await agent.once()
  expect(agent.applied()).toEqual(['one', 'three', 'four', 'five'])
  expect(agent.served.applied.at(-1)?.droppedReports).toBe(1)
})

test('a disk without write access: the newest scan is kept in memory and delivered', async () => {
  await agent.once()
  await agent.served.stop()
  agent.start()
  await changeUnsent(['two'])
  await rm(path.join(agent.state, 'spool'), { recursive: true })
  await writeFile(path.join(agent.state, 'spool'), 'in the way')
  await agent.setOs('three')
  await agent.until(() => expect(agent.log()).toContain('could not be written to disk and is kept in memory'))
  await agent.setOs('four')
  await agent.until(() => expect(agent.log().match(/kept in memory/g)).toHaveLength(2))
  await rm(path.join(agent.state, 'spool'))
  await mkdir(path.join(agent.state, 'spool/rejected'), { recursive: true })
  await agent.served.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'four']))
  await agent.setOs('five')
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'four', 'five']))
  expect(agent.served.applied.at(-1)?.droppedReports).toBe(2)
})

const shell = (command: string) => execFileSync('sh', ['-c', command], { stdio: 'ignore' })
const canMount = () => {
  try {
    shell('d=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s')
    return true
  } catch {
    return false
  }
}

test.runIf(canMount())('a full disk (ENOSPC): the newest scan is delivered', async () => {
  await agent.once()
  const spool = path.join(agent.state, 'spool')
  shell(`mount -t tmpfs -o size=64k,mode=700 tmpfs '${spool}'`)
  try {
    await agent.served.stop()
    const running = agent.start()
    await changeUnsent(['two'])
    await writeFile(path.join(spool, 'filler'), Buffer.alloc(1_000_000)).catch(() => undefined)
    await agent.setOs('three')
    await agent.until(() => expect(agent.log()).toContain('kept in memory: ENOSPC'))
    await agent.served.start()
    await agent.until(() => expect(agent.applied()).toEqual(['one', 'two', 'three']))
    await running.stop()
  } finally {
    shell(`umount '${spool}'`)
  }
})

test('stopped in the middle of a request, the agent ends and the report waits on disk', async () => {
  agent.served.intercept = (kind) => (kind === 'report' ? 'hang' : null)
  const running = agent.start({ timing: { stopGraceMs: 50, requestTimeoutMs: 60_000 } })
  await agent.until(() => expect(agent.flow()).toContain('report 1.1 0'))
  expect(await running.stop()).toBe('stopped')
  expect(await agent.spooled()).toHaveLength(1)
  expect(agent.log()).toContain('Stopped. Unsent reports on disk: 1.')
  agent.served.intercept = null
  await agent.once()
  expect(agent.applied()).toEqual(['one'])
})

test('stopped while it rests, the agent ends at once with nothing left', async () => {
  const running = agent.start({ intervalSeconds: 3600 })
  await agent.until(() => expect(agent.flow()).toContain('report 1.1 200'))
  await agent.until(async () => expect(await agent.spooled()).toEqual([]))
  expect(await running.stop()).toBe('stopped')
})
