import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FIXTURE_HOSTS } from '@/simulator/fixtures/all-hosts'
import { openWorld, type World } from './open-world'

/** Consoles that a run starts once, for all workers and files together. Tests only read them. */
const RUN_WORLDS = {
  /** Every fixture host has reported once. */
  fleet: async (): Promise<World> => {
    // Hosts that reported once would become silent while a long run still reads them.
    const world = await openWorld({ SLICEBOARD_SILENT_AFTER_SECONDS: '86400' })
    await world.report(Object.values(FIXTURE_HOSTS))
    return world
  },
  /** No host was added. */
  empty: (): Promise<World> => openWorld(),
}

export type RunWorldName = keyof typeof RUN_WORLDS

const isName = (name: string): name is RunWorldName => Object.hasOwn(RUN_WORLDS, name)

/** Playwright's global setup: workers ask its process for a world by name, and what was opened ends with the run. */
export default async (): Promise<() => Promise<void>> => {
  const opened = new Map<RunWorldName, Promise<World>>()
  const worldOf = (name: RunWorldName): Promise<World> => {
    const world = opened.get(name) ?? RUN_WORLDS[name]()
    opened.set(name, world)
    return world
  }
  const server = createServer((req, res) => {
    const name = (req.url ?? '').slice(1)
    if (!isName(name)) {
      res.writeHead(404).end()
      return
    }
    worldOf(name).then(
      ({ url }) => res.end(url),
      (err: unknown) => res.writeHead(500).end(String(err)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env.SLICEBOARD_RUN_WORLDS = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.closeAllConnections()
    server.close()
    for (const outcome of await Promise.allSettled(opened.values()))
      if (outcome.status === 'fulfilled') await outcome.value.stop()
  }
}
