import { gzipSync } from 'node:zlib'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import { AGENT_PATHS, CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { formatCredential } from '@/lib/server/secrets/agent-secrets'
import { hostInPhase, PHASES, scanBusyHost } from '../ingest/busy-host'
import { connect } from '../ingest/connection'
import { hostNameOf, secretOf } from '../ingest/credentials'

export type WatchedHost = {
  name: string
  /** Reports its next state, in which another pGPU's use has changed; answers when it was sent (ms since the epoch). */
  report: () => Promise<number>
  close: () => void
}

/** A host whose agent reports on request. */
export const openWatchedHost = async (port: number, index: number): Promise<WatchedHost> => {
  const name = hostNameOf(index)
  const base = await scanBusyHost()
  const connection = await connect(port)
  let sequence = 0
  return {
    name,
    report: async () => {
      const inventory = hostInPhase(base, name, sequence % PHASES)
      sequence += 1
      const report: Report = {
        contractVersion: CONTRACT_VERSION,
        agentVersion: '0.1.0',
        position: { boot: 1, sequence },
        takenAt: new Date().toISOString(),
        digest: inventoryDigest(inventory),
        droppedReports: 0,
        inventory,
      }
      const body = gzipSync(encodeReportJson(report))
      const lines = [
        `POST ${AGENT_PATHS.reports} HTTP/1.1`,
        `host: 127.0.0.1:${port}`,
        `authorization: Bearer ${formatCredential(index + 1, secretOf(index))}`,
        'content-type: application/json',
        'content-encoding: gzip',
        `content-length: ${body.length}`,
      ]
      const sentAt = Date.now()
      const answer = await connection.ask(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]))
      if (!answer.includes('"isApplied":true')) throw new Error(`the report was not taken: ${answer}`)
      return sentAt
    },
    close: connection.close,
  }
}
