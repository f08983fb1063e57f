import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** Ways in which Node opens connections; what listens, and types, are none. */
const OPENS = [
  /\bfetch\(/,
  /from 'undici'/,
  /import \{[^}]*\b(request|get|Agent)\b[^}]*\} from 'node:https?'/,
  /import \{[^}]*\b(connect|createConnection|Socket)\b[^}]*\} from 'node:(net|tls|http2)'/,
  /(\* as )?\b\w+ from '(node:)?(https?|net|tls|http2)'/,
  /(from|import\(|require\() ?'(node:)?(dgram|child_process|worker_threads)'/,
  /(import\(|require\() ?'(node:)?(https?|net|tls|http2|undici)'/,
  /\bnew (WebSocket|EventSource|XMLHttpRequest)\(/,
  /\bsendBeacon\(/,
]

/** Who may, and where to. */
const ALLOWED: Record<string, string> = {
  'components/charts/save-chart.ts': 'the browser, to the fonts that the page’s own style sheets name',
  'lib/api/client.ts': 'the browser, to its own console',
  'lib/api/watch-connection.ts': 'the browser, to its own console',
  'lib/openstack/transport/create-transport.ts': 'addresses of clouds.yaml and of Keystone’s catalog',
  'lib/openstack/transport/send-once.ts': 'as create-transport.ts has checked it',
  'lib/server/webhook/post-webhook.ts': 'webhooks: to an address that was checked after resolving',
}

const sourcesBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\/|\/prisma-client\//.test(file))

test.each([
  "import http from 'node:http'",
  "import * as net from 'net'",
  "const { request } = await import('node:https')",
  "import { Agent } from 'undici'",
  "new WebSocket('wss://x')",
  "import { execFile } from 'node:child_process'",
  "await fetch('http://x')",
])('%s opens a connection', (source) => {
  expect(OPENS.some((way) => way.test(source))).toBe(true)
})

test('nothing of the product opens connections but what is named here', () => {
  const opening = ['app', 'components', 'lib'].flatMap(sourcesBelow).filter((file) => {
    const source = readFileSync(path.join(root, file), 'utf8').replaceAll(/^import type .*$/gm, '')
    return OPENS.some((way) => way.test(source))
  })
  expect(opening.toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
})

test('a call that is sent follows no redirect', () => {
  for (const file of Object.keys(ALLOWED)) {
    const source = readFileSync(path.join(root, file), 'utf8')
    expect([file, /maxRedirections|interceptors\.redirect|redirect: 'follow'/.test(source)]).toEqual([
      file,
      false,
    ])
  }
})
