import { setTimeout as wait } from 'node:timers/promises'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { World } from '@/simulator/world/world'
import type { Agents } from '../create-agents'
import { scanSpec } from './scan-shapes'

const STEP_MS = 1000
const HEARTBEAT_MS = 30_000

const isChanged = (before: HostSpec | undefined, after: HostSpec): boolean =>
  before?.guests !== after.guests || before.gpus !== after.gpus

/**
 * Servers come, go and migrate for a while, as in the demo: hosts on which something changed report it, and all but the silent ones
 * send a heartbeat every 30 s.
 */
export const moveHosts = async (
  world: World,
  { agents, port, ms }: { agents: Agents; port: number; ms: number },
): Promise<void> => {
  const endMs = performance.now() + ms
  let known = world.hosts.map(({ living }) => living.spec())
  let beatMs = 0
  while (performance.now() < endMs) {
    world.advance(STEP_MS)
    const specs = world.hosts.map(({ living }) => living.spec())
    for (const [host, spec] of specs.entries())
      if (isChanged(known[host], spec)) await agents.change(port, host, await scanSpec(spec))
    known = specs
    if (performance.now() - beatMs > HEARTBEAT_MS) {
      beatMs = performance.now()
      await agents.beat(port)
    }
    await wait(STEP_MS)
  }
}
