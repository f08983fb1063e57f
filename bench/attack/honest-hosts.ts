import { gzipSync } from 'node:zlib'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import { AGENT_PATHS, CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { hostInPhase, PHASES, scanBusyHost } from '../ingest/busy-host'
import { connect } from '../ingest/connection'
import { hostNameOf } from '../ingest/credentials'
import { quantile } from '../quantile'
import { requestOf } from './request-of'

export type Paced = { answered: number; refused: number; p50Ms: number; p99Ms: number; maxMs: number }

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Hosts that each report a change every so often, whole and gzipped, on separate connections. */
export const createHonestHosts = async ({
  port,
  indexes,
  everyMs,
}: {
  port: number
  indexes: number[]
  everyMs: number
}): Promise<{ during: (work: Promise<unknown>) => Promise<Paced>; close: () => void }> => {
  const base = await scanBusyHost()
  const hosts = await Promise.all(
    indexes.map(async (index) => ({ index, sequence: 0, connection: await connect(port) })),
  )
  const bodyOf = (host: (typeof hosts)[number]): Buffer => {
    host.sequence += 1
    const inventory = hostInPhase(base, hostNameOf(host.index), host.sequence % PHASES)
    const head = {
      contractVersion: CONTRACT_VERSION,
      agentVersion: '0.1.0',
      position: { boot: 1, sequence: host.sequence },
      takenAt: new Date().toISOString(),
      digest: inventoryDigest(inventory),
      droppedReports: 0,
    } as const
    return gzipSync(encodeReportJson({ ...head, inventory }))
  }
  return {
    during: async (work) => {
      const latencies: number[] = []
      let refused = 0
      let isOver = false
      const pace = async (host: (typeof hosts)[number], turn: number): Promise<void> => {
        await wait((everyMs * turn) / hosts.length)
        while (!isOver) {
          const body = bodyOf(host)
          const startedAt = performance.now()
          const answer = await host.connection.ask(
            requestOf({
              port,
              index: host.index,
              path: AGENT_PATHS.reports,
              body,
              headers: { 'content-encoding': 'gzip' },
            }),
          )
          latencies.push(performance.now() - startedAt)
          if (!answer.startsWith('HTTP/1.1 200')) refused += 1
          await wait(everyMs)
        }
      }
      const pacing = Promise.all(hosts.map(pace))
      await work
      isOver = true
      await pacing
      const at = (share: number) => quantile(latencies, share)
      return { answered: latencies.length, refused, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
    },
    close: () => {
      for (const { connection } of hosts) connection.close()
    },
  }
}
