import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { isBlockedPort } from './blocked-ports'
import { choosePort, freePort } from './free-port'

/** What fetch reports of a port before it opens a connection. */
const errorOf = async (port: number): Promise<unknown> => {
  try {
    await fetch(`http://127.0.0.1:${port}/`)
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : error
  }
}

it('refuses the ports that fetch refuses, with a reason', async () => {
  const ports = Array.from({ length: 65_536 }, (_, port) => port).filter(isBlockedPort)
  expect(ports.length).toBeGreaterThan(70)
  for (const port of ports) expect([port, await errorOf(port)]).toEqual([port, 'bad port'])
  expect(await errorOf(await freePort())).not.toBe('bad port')
  await expect(choosePort(4190)).rejects.toThrow('--port is 4190, which browsers refuse to open')
})

it('refuses a port that is taken', async () => {
  const server = createServer()
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await expect(choosePort(port)).rejects.toThrow(`--port is ${port}, but another process listens there`)
  await new Promise((resolve) => server.close(resolve))
  expect(await choosePort(port)).toBe(port)
})
