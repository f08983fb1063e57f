import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import { AGENT_PATHS, CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import type { Database } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { formatCredential, hashSecret } from '@/lib/server/secrets/agent-secrets'
import { benchHostName, inventoryOf, scanFirstHost } from './bench-host'

const AT_ONCE = 16

/** Worked out by the one who enrols and the one who reports; a real secret is random. */
const secretOf = (host: number): string => createHash('sha256').update(`read ${host}`).digest('base64url')

/** Hosts 1 to `hostCount` with a credential each, as after an enrolment. */
export const enrollHosts = async (
  database: Database,
  { cloudId, hostCount }: { cloudId: number; hostCount: number },
): Promise<void> => {
  const hosts = Array.from({ length: hostCount }, (_, index) => index + 1)
  await database.query(
    `WITH new_host AS (
       INSERT INTO host (cloud_id, name, enrolment) SELECT $1, name, 1 FROM unnest($2::text[]) AS name
       RETURNING id, cloud_id, name
     )
     INSERT INTO agent_credential (id, cloud_id, host_id, enrolment, secret_hash)
     SELECT n.place, h.cloud_id, h.id, 1, n.hash
     FROM new_host h JOIN unnest($2::text[], $3::text[]) WITH ORDINALITY AS n (name, hash, place) ON n.name = h.name`,
    [cloudId, pgArray(hosts.map(benchHostName)), pgArray(hosts.map((host) => hashSecret(secretOf(host))))],
  )
}

const post = (url: URL, { host, body, agent }: { host: number; body: Buffer; agent: Agent }): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${formatCredential(host, secretOf(host))}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': body.length,
    }
    const req = request(url, { method: 'POST', agent, headers }, (res) => {
      let text = ''
      res.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      res.on('end', () =>
        res.statusCode === 200
          ? resolve()
          : reject(new Error(`The console refused the report of ${benchHostName(host)}: ${text}`)),
      )
    })
    req.on('error', reject)
    req.end(body)
  })

/** Each enrolled host reports once, over HTTP, as its agent does. */
export const reportHosts = async (address: string, hostCount: number): Promise<void> => {
  const first = await scanFirstHost()
  const url = new URL(AGENT_PATHS.reports, address)
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const hosts = Array.from({ length: hostCount }, (_, index) => index + 1)[Symbol.iterator]()
  const work = async (): Promise<void> => {
    for (const host of hosts) {
      const inventory = inventoryOf(first, host)
      const report: Report = {
        contractVersion: CONTRACT_VERSION,
        agentVersion: '0.1.0',
        position: { boot: 1, sequence: 1 },
        takenAt: new Date().toISOString(),
        droppedReports: 0,
        inventory,
        digest: inventoryDigest(inventory),
      }
      await post(url, { host, body: gzipSync(encodeReportJson(report)), agent })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  agent.destroy()
}
