import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createAgentHarness, HOST_NAME, TOKEN } from '../testing/agent-harness'

const agent = createAgentHarness()

test('the first run enrolls and reports, an unchanged one sends a heartbeat without a body', async () => {
  expect(await agent.once()).toBe('delivered')
  expect(await agent.once({ joinToken: null })).toBe('delivered')
  await agent.setOs('two')
  expect(await agent.once({ joinToken: null })).toBe('delivered')
  expect(agent.flow()).toEqual(['enroll  201', 'report 1.1 200', 'heartbeat 2.1 200', 'report 3.1 200'])
  expect(agent.served.exchanges[2]?.bytes).toBeLessThanOrEqual(300)
  expect(agent.applied()).toEqual(['one', 'two'])
  expect((await stat(path.join(agent.state, 'credential.json'))).mode & 0o777).toBe(0o600)
})

test('a running agent reports changes, else sends heartbeats, over one start', async () => {
  agent.start()
  await agent.until(() => expect(agent.flow()).toContain('heartbeat 1.2 200'))
  await agent.setOs('two')
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'two']))
  expect(agent.flow().slice(0, 3)).toEqual(['enroll  201', 'report 1.1 200', 'heartbeat 1.2 200'])
  await agent.until(async () => expect(await agent.spooled()).toEqual([]))
})

test('the pace is the one that the console sets', async () => {
  agent.served.intervalSeconds = 3600
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one']))
  await agent.setOs('two')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(agent.flow()).toEqual(['enroll  201', 'report 1.1 200'])
})

test('a heartbeat that the console cannot place is followed by the full report at once', async () => {
  await agent.once()
  for (const host of agent.served.hosts.values()) host.digest = null
  agent.forget()
  expect(await agent.once()).toBe('delivered')
  expect(agent.flow()).toEqual(['heartbeat 2.1 409', 'report 2.2 200'])
})

test('a host that is not enrolled and has no token logs what to do', async () => {
  await expect(agent.once({ joinToken: null })).rejects.toThrow('run the install line of the console')
})

test('the token file of the install script is used, and removed once the credential works', async () => {
  await expect(agent.once({ joinToken: null })).rejects.toThrow('not enrolled')
  const file = path.join(agent.state, 'join-token')
  await writeFile(file, `${TOKEN}\n`, { mode: 0o600 })
  expect(await agent.once({ joinToken: null })).toBe('delivered')
  expect(await readdir(agent.state)).not.toContain('join-token')
  expect(agent.applied()).toEqual(['one'])
})

test('a refused join token is logged, scans wait on disk, and the token is not tried over and over', async () => {
  agent.served.tokens.clear()
  agent.start()
  await agent.until(() =>
    expect(agent.log()).toContain('The host is not enrolled: The join token is not known'),
  )
  await agent.setOs('two')
  await agent.until(async () => expect(await agent.spooled()).toHaveLength(2))
  expect(agent.flow()).toEqual(['enroll  401'])
})

test('a revoked credential stops the sending, and scans wait on disk', async () => {
  await agent.once()
  for (const host of agent.served.hosts.values()) host.isRevoked = true
  agent.forget()
  agent.start({ joinToken: null })
  await agent.until(() =>
    expect(agent.log()).toContain('The console refuses this host: The credential was revoked'),
  )
  await agent.setOs('two')
  await agent.until(async () => expect(await agent.spooled()).toHaveLength(1))
  await agent.setOs('three')
  await agent.until(async () => expect(await agent.spooled()).toHaveLength(2))
  expect(agent.flow()).toEqual(['heartbeat 2.1 401'])
})

test('a revoked credential and a new join token: the host enrolls again and delivers what waited', async () => {
  await agent.once()
  for (const host of agent.served.hosts.values()) host.isRevoked = true
  await agent.setOs('two')
  expect(await agent.once({ joinToken: null })).toBe('undelivered')
  agent.forget()
  expect(await agent.once()).toBe('delivered')
  expect(agent.flow()).toEqual(['report 2.1 401', 'enroll  201', 'report 2.1 200'])
  expect(agent.applied()).toEqual(['one', 'two'])
})

test('a revoked credential and a used-up token: neither is hammered', async () => {
  await agent.once()
  for (const host of agent.served.hosts.values()) host.isRevoked = true
  agent.served.tokens.clear()
  agent.forget()
  agent.start({ timing: { refusedWaitMs: 100 } })
  await agent.until(() => expect(agent.flow().length).toBeGreaterThanOrEqual(5))
  expect(agent.flow().slice(0, 3)).toEqual(['heartbeat 2.1 401', 'enroll  401', 'heartbeat 2.2 401'])
  expect(agent.flow().filter((line) => line.startsWith('enroll'))).toHaveLength(1)
})

test('a report that the console refuses permanently is set aside and not sent again', async () => {
  agent.served.intercept = (kind) =>
    kind === 'report' ? { status: 422, body: { error: { message: 'gpus[0] is odd.' } } } : null
  agent.start()
  await agent.until(() => expect(agent.flow().length).toBeGreaterThanOrEqual(4))
  expect(agent.flow().filter((line) => line.startsWith('report'))).toEqual(['report 1.1 422'])
  expect(agent.log()).toContain('refuses a report, which is set aside: gpus[0] is odd (status 422).')
  expect(await agent.spooled()).toEqual([])
  expect(await readdir(path.join(agent.state, 'spool/rejected'))).toHaveLength(1)
  agent.served.intercept = null
  await agent.setOs('two')
  await agent.until(() => expect(agent.applied()).toEqual(['two']))
})

test('a lost boot counter: the agent jumps beyond what the console knows', async () => {
  for (const osName of ['one', 'two', 'three']) {
    await agent.setOs(osName)
    await agent.once()
  }
  await writeFile(path.join(agent.state, 'counters.json'), 'damaged')
  await agent.setOs('four')
  agent.forget()
  expect(await agent.once()).toBe('delivered')
  expect(agent.flow()).toEqual(['report 1.1 200', 'report 4.1 200'])
  expect(agent.applied()).toEqual(['one', 'two', 'three', 'four'])
  expect(agent.log()).toContain(
    'the counter was lost, or another agent reports as this host. Going on with boot 4',
  )
  expect(JSON.parse(await readFile(path.join(agent.state, 'counters.json'), 'utf8'))).toMatchObject({
    boot: 4,
  })
})

test('a lost boot counter during an outage: all reports of that start are delivered', async () => {
  for (const osName of ['one', 'two', 'three']) {
    await agent.setOs(osName)
    await agent.once()
  }
  await writeFile(path.join(agent.state, 'counters.json'), 'damaged')
  await agent.served.stop()
  agent.start()
  for (const [index, osName] of ['four', 'five', 'six'].entries()) {
    await agent.setOs(osName)
    await agent.until(async () => expect(await agent.spooled()).toHaveLength(index + 1))
  }
  await agent.served.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one', 'two', 'three', 'four', 'five', 'six']))
})

test('the credential is for one host name', async () => {
  await agent.once()
  await expect(agent.once({ hostName: 'compute-08' })).rejects.toThrow(
    `is for the host ${HOST_NAME}, but the name given is compute-08`,
  )
  expect(await agent.once({ hostName: 'COMPUTE-07' })).toBe('delivered')
})

test('a second agent on the same state directory is refused', async () => {
  agent.start()
  await agent.until(() => expect(agent.applied()).toEqual(['one']))
  await expect(agent.once()).rejects.toThrow('Another agent works with the state directory')
})

test.each([
  ['gopher://x', 'must be like https://'],
  ['console.example.org', 'must be like https://'],
  ['https://', 'must be like https://'],
  ['https://me:hunter2@x', 'must not hold a user or password'],
  ['https://x/?a=b', 'must end with its path'],
])('the address %s is refused', async (serverUrl, message) => {
  await expect(agent.once({ serverUrl })).rejects.toThrow(message)
  await expect(agent.once({ serverUrl })).rejects.not.toThrow('hunter2')
})
