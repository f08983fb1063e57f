import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createAgentHarness } from '../testing/agent-harness'

const agent = createAgentHarness()

/** Positions of reports on which the console fails, at every request. */
const failOn = (isBad: (position: string) => boolean) => {
  agent.served.intercept = (kind, position) =>
    kind !== 'heartbeat' && isBad(position) ? { status: 500 } : null
}

const rejected = () => readdir(path.join(agent.state, 'spool/rejected'))
const triesOf = (position: string) => agent.flow().filter((line) => line === `report ${position} 500`).length

/** Leaves one unsent report per name on the disk, at 2.1, 3.1 and so on. */
const waitWith = async (osNames: string[]) => {
  await agent.once()
  await agent.served.stop()
  for (const osName of osNames) {
    await agent.setOs(osName)
    await agent.once()
  }
  await agent.served.start()
  agent.forget()
}

test('a report on which the console fails each time is set aside once a newer one is taken', async () => {
  await waitWith(['two', 'three'])
  failOn((position) => position === '2.1')
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'three']))
  expect(triesOf('2.1')).toBe(5)
  await agent.until(async () => expect(await agent.spooled()).toEqual([]))
  expect(await rejected()).toEqual(['0000000002-0000000001.json.gz'])
  expect(agent.log()).toContain('failed each time on the one before it, now set aside and counted as lost')
  await agent.setOs('four')
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'three', 'four']))
  expect(agent.served.applied.at(-1)?.droppedReports).toBe(1)
})

test('a console that fails on every report loses none, however long it does', async () => {
  await waitWith(['two', 'three', 'four', 'five'])
  failOn(() => true)
  agent.start()
  await agent.until(() => expect(triesOf('2.1')).toBeGreaterThan(12))
  expect(triesOf('5.1')).toBeGreaterThan(0)
  expect(await agent.spooled()).toHaveLength(4)
  agent.served.intercept = (kind, position) =>
    kind === 'report' && position !== '2.1' ? { status: 500 } : null
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'two']))
  agent.served.intercept = null
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'two', 'three', 'four', 'five']))
  expect(await rejected()).toEqual([])
})

test('many in a row that it fails on do not hold up the one that it takes', async () => {
  const bad = Array.from({ length: 9 }, (_, index) => `bad-${index}`)
  await waitWith([...bad, 'good'])
  failOn((position) => Number.parseInt(position, 10) < 11)
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'good']))
  await agent.until(async () => expect(await agent.spooled()).toEqual([]))
  expect(await rejected()).toHaveLength(9)
  expect(triesOf('2.1')).toBeLessThan(12)
})

test('alone it is tried again and again, and goes out when the console has been repaired', async () => {
  await waitWith(['two'])
  failOn(() => true)
  agent.start()
  await agent.until(() => expect(triesOf('2.1')).toBeGreaterThan(8))
  expect(await rejected()).toEqual([])
  agent.served.intercept = null
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'two']))
})

test('single runs get past it too', async () => {
  await waitWith(['two', 'three', 'four'])
  failOn((position) => position === '2.1' || position === '3.1')
  expect(await agent.once()).toBe('delivered')
  expect(agent.applied()).toEqual(['one', 'four'])
  expect(await rejected()).toHaveLength(2)
})

test('what is set aside stays bounded, the newest kept', async () => {
  await waitWith(Array.from({ length: 13 }, (_, index) => `host-${index}`))
  failOn((position) => position !== '14.1')
  expect(await agent.once()).toBe('delivered')
  const names = await rejected()
  expect(names).toHaveLength(10)
  expect(names.sort().at(-1)).toBe('0000000013-0000000001.json.gz')
})
