import { expect, test } from 'vitest'
import { createAgentHarness } from '../testing/agent-harness'

const agent = createAgentHarness()

const change = async (osName: string) => {
  await agent.setOs(osName)
  await agent.until(() => expect(agent.applied().at(-1)).toBe(osName))
}
const reports = () => agent.flow().filter((line) => !line.startsWith('heartbeat'))

test('to a console that takes them, reports after the first of a start are differences', async () => {
  agent.served.takesDifferences = 'yes'
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one']))
  await change('two')
  await change('three')
  await agent.until(async () => expect(await agent.spooled()).toEqual([]))
  const [, ...sent] = reports().map((line) => line.split(' ')[0])
  expect(sent).toEqual(['report', 'difference', 'difference'])
  const bytes = agent.served.exchanges.filter(({ kind }) => kind === 'difference').map(({ bytes }) => bytes)
  expect(Math.max(...bytes)).toBeLessThan(900)
})

test('an older console, which does not ask for them, gets whole reports', async () => {
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one']))
  await change('two')
  expect(reports().some((line) => line.startsWith('difference'))).toBe(false)
})

test('a console that refuses a difference gets the whole report at once, and fewer differences from then on', async () => {
  agent.served.takesDifferences = 'says so'
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one']))
  for (const osName of ['two', 'three', 'four', 'five', 'six']) await change(osName)
  const sent = reports().slice(1)
  const refused = sent.filter((line) => line.endsWith('409'))
  expect(refused.every((line) => line.startsWith('difference'))).toBe(true)
  for (const line of refused) {
    const [, position] = line.split(' ')
    expect(sent[sent.indexOf(line) + 1]).toBe(`report ${position} 200`)
  }
  // After the second refusal one report goes whole without a try.
  expect(refused).toHaveLength(3)
  expect(agent.applied()).toEqual(['one', 'two', 'three', 'four', 'five', 'six'])
  expect(agent.log()).not.toContain('set aside')
})

test('a console of an older version behind the same address costs a second request, no report', async () => {
  agent.served.takesDifferences = 'yes'
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one']))
  agent.served.takesDifferences = 'no'
  await change('two')
  const sent = reports().map((line) => line.replace(/ \S* /, ' '))
  expect(sent).toEqual(['enroll 201', 'report 200', 'difference 415', 'report 200'])
})
