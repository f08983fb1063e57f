import { gzipSync } from 'node:zlib'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { reportText } from '@/lib/services/report/testing/sent-report'
import { sendHeartbeat, sendReport } from '../rush/send'
import type { ScannedHost } from './world/scan-shapes'
import { isSilentHost } from './world/silent-hosts'

const AT_ONCE = 16
const CONFLICT = 409

type Agents = {
  /** Each host sends its report to the console at the port. */
  report: (port: number) => Promise<void>
  /** Each host but the silent ones sends a heartbeat, and a report where the console wants one. */
  beat: (port: number) => Promise<void>
}

type Agent = { report: (port: number) => Promise<number>; beat: (port: number) => Promise<number> }

const createAgent = ({ inventory }: ScannedHost, host: number): Agent => {
  const digest = inventoryDigest(inventory)
  let sequence = 0
  const next = () => {
    sequence += 1
    return { boot: 1, sequence }
  }
  const report: Agent['report'] = async (port) => {
    const text = reportText(inventory, next(), new Date().toISOString())
    return (await sendReport(port, { place: host, body: gzipSync(text) })).status
  }
  return {
    report,
    beat: async (port) => {
      const { status } = await sendHeartbeat(port, { place: host, digest, position: next() })
      return status === CONFLICT ? report(port) : status
    },
  }
}

/** The agents of the hosts as far as a console sees them. */
export const createAgents = (hosts: readonly ScannedHost[]): Agents => {
  const agents = hosts.map(createAgent)
  const living = agents.filter((_, host) => !isSilentHost(host))

  const each = async (chosen: readonly Agent[], send: (agent: Agent) => Promise<number>): Promise<void> => {
    const waiting = chosen.values()
    const work = async (): Promise<void> => {
      for (const agent of waiting) {
        const status = await send(agent)
        if (status !== 200) throw new Error(`The console answered a host with ${status}.`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  return {
    report: (port) => each(agents, (agent) => agent.report(port)),
    beat: (port) => each(living, (agent) => agent.beat(port)),
  }
}
