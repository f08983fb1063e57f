import { formatCredential } from '@/lib/server/secrets/agent-secrets'
import { secretOf } from '../ingest/credentials'

/** A POST of one host, byte for byte; `index` null: anonymous. */
export const requestOf = ({
  port,
  index,
  path,
  body,
  headers = {},
}: {
  port: number
  index: number | null
  path: string
  body: Buffer
  headers?: Record<string, string>
}): Buffer => {
  const all = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${index === null ? formatCredential(999_999, secretOf(0)) : formatCredential(index + 1, secretOf(index))}`,
    'content-type': 'application/json',
    ...('transfer-encoding' in headers ? {} : { 'content-length': String(body.length) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body])
}
