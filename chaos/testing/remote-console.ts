import { gzipSync } from 'node:zlib'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import type { ReportingConsole } from './reporter'

/** A console in another process, as agents see it. */
export const createRemoteConsole = (url: string, joinToken: string): ReportingConsole => {
  const post = async (path: string, token: string, { body, gzipped }: { body: Buffer; gzipped: boolean }) => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    if (gzipped) headers['content-encoding'] = 'gzip'
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.json() }
  }
  return {
    enrolled: async (hostName = '') => {
      const body = Buffer.from(JSON.stringify({ contractVersion: 1, hostName, agentVersion: '0.1.0' }))
      return (await post(AGENT_PATHS.enroll, joinToken, { body, gzipped: false })).body.credential
    },
    report: (credential, json) =>
      post(AGENT_PATHS.reports, credential, { body: gzipSync(json), gzipped: true }),
  }
}
