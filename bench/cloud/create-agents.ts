import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { reportText } from '@/lib/services/report/testing/sent-report'
import { sendHeartbeat, sendReport } from '../rush/send'
import type { ScannedHost } from './world/scan-shapes'
import { isSilentHost } from './world/silent-hosts'

const AT_ONCE = 16
const CONFLICT = 409
const MAX_TRIES = 30
const RETRY_MS = 2000

export type Agents = {
  /** Each host sends its report to the console at the port. */
  report: (port: number) => Promise<void>
  /** Each host but the silent ones sends a heartbeat, and a report where the console requests one. */
  beat: (port: number) => Promise<void>
  /** One host reports something else from now on, and at once unless it is silent. */
  change: (port: number, host: number, inventory: Inventory) => Promise<void>
}

type Agent = {
  become: (inventory: Inventory) => void
  report: (port: number) => Promise<number>
  beat: (port: number) => Promise<number>
}

const createAgent = (scanned: ScannedHost, host: number): Agent => {
  let { inventory } = scanned
  let digest = inventoryDigest(inventory)
  let sequence = 0
  const next = () => {
    sequence += 1
    return { boot: 1, sequence }
  }
  const report: Agent['report'] = async (port) => {
    const text = reportText(inventory, next(), new Date().toISOString())
    return (await sendReport(port, { host, body: gzipSync(text) })).status
  }
  return {
    become: (next) => {
      inventory = next
      digest = inventoryDigest(next)
    },
    report,
    beat: async (port) => {
      const { status } = await sendHeartbeat(port, { host, digest, position: next() })
      return status === CONFLICT ? report(port) : status
    },
  }
}

/** As agents do, again and again: a console whose event loop is blocked closes connections. */
const untilAccepted = async (send: () => Promise<number>): Promise<void> => {
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    if ((await send().catch(() => null)) === 200) return
    await wait(RETRY_MS)
  }
  throw new Error(`The console did not accept a message of a host in ${MAX_TRIES} attempts.`)
}

/** The agents of the hosts as far as a console sees them. */
export const createAgents = (hosts: readonly ScannedHost[]): Agents => {
  const agents = hosts.map(createAgent)
  const living = agents.filter((_, host) => !isSilentHost(host))

  const each = async (chosen: readonly Agent[], send: (agent: Agent) => Promise<number>): Promise<void> => {
    const waiting = chosen.values()
    const work = async (): Promise<void> => {
      for (const agent of waiting) await untilAccepted(() => send(agent))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  return {
    report: (port) => each(agents, (agent) => agent.report(port)),
    beat: (port) => each(living, (agent) => agent.beat(port)),
    change: async (port, host, inventory) => {
      const agent = agents[host]
      agent?.become(inventory)
      if (agent !== undefined && !isSilentHost(host)) await each([agent], () => agent.report(port))
    },
  }
}
