import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isServiceError } from '@/lib/server/errors/service-error'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { createAgentFiles, serveAgentFile } from './agent-api'

let root: string
let server: Server
let address: string

const build = (text: string) => writeFile(join(root, 'dist', 'sliceboard-agent.mjs'), text)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sliceboard-files-'))
  await mkdir(join(root, 'dist'))
  await mkdir(join(root, 'agent', 'install'), { recursive: true })
  for (const name of ['install.sh', 'sliceboard-agent.service'])
    await copyFile(join(rootDirectory(), 'agent', 'install', name), join(root, 'agent', 'install', name))
  const files = createAgentFiles(root)
  server = createServer(async (req, res) => {
    try {
      await serveAgentFile({ req, res, path: req.url ?? '', files, version: '1.2.3' })
    } catch (error) {
      res.writeHead(isServiceError(error) ? 404 : 500).end(error instanceof Error ? error.message : '')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(root, { recursive: true, force: true })
})

const get = async (path: string, method = 'GET') => {
  const response = await fetch(`http://${address}${path}`, { method })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('the install script names this console and the agent that it serves', async () => {
  await build('// agent')
  const script = await get('/install.sh')
  expect(script.headers.get('content-type')).toBe('text/x-shellscript; charset=utf-8')
  expect(script.text).toContain(`SERVER_URL='http://${address}'`)
  expect(script.text).toContain(`AGENT_SHA256='${sha256('// agent')}'`)
  expect(script.text).toContain("AGENT_VERSION='1.2.3'")
  expect(script.text).not.toMatch(/@@[A-Z]/)
})

test('the agent comes as it was built, with a checksum that sha256sum reads', async () => {
  await build('// agent')
  expect((await get('/agent/sliceboard-agent.mjs')).text).toBe('// agent')
  expect((await get('/agent/sliceboard-agent.mjs.sha256')).text).toBe(
    `${sha256('// agent')}  sliceboard-agent.mjs\n`,
  )
  const head = await get('/agent/sliceboard-agent.mjs', 'HEAD')
  expect([head.headers.get('content-length'), head.text]).toEqual(['8', ''])
})

test('an agent that was built again is served without a restart', async () => {
  await build('// first')
  await get('/agent/sliceboard-agent.mjs')
  await build('// other')
  await utimes(join(root, 'dist', 'sliceboard-agent.mjs'), new Date(), new Date(Date.now() + 2000))
  expect((await get('/install.sh')).text).toContain(sha256('// other'))
})

test('without a built agent the answer states how to build it', async () => {
  expect(await get('/install.sh')).toMatchObject({
    status: 404,
    text: 'The agent is not built on this console: run npm run build:agent.',
  })
})

/** With an unchanged path: fetch removes dots from a path before it sends it. */
const getRaw = (path: string, method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const [host, port] = address.split(':')
    request({ host, port, path, method }, (res) => resolve(res.resume().statusCode))
      .on('error', reject)
      .end()
  })

test.each([
  '/agent/../dist/sliceboard-agent.mjs',
  '/agent/%2e%2e/dist/sliceboard-agent.mjs',
  '/agent/..%2fsliceboard-agent.mjs',
  '/agent/./sliceboard-agent.mjs',
  '/agent//sliceboard-agent.mjs',
  '/agent/sliceboard-agent.mjs/',
  '/agent/sliceboard-agent.mjs%00',
  '/agent/other',
  '/agent/__proto__',
])('there is nothing to fetch at %s', async (path) => {
  await build('// agent')
  expect(await getRaw(path)).toBe(404)
})

test('files can be fetched, and no cache stores them', async () => {
  await build('// agent')
  for (const path of ['/install.sh', '/agent/sliceboard-agent.mjs', '/agent/sliceboard-agent.mjs.sha256']) {
    expect((await get(path)).headers.get('cache-control')).toBe('no-store')
    for (const method of ['POST', 'PUT', 'DELETE']) expect(await getRaw(path, method)).toBe(404)
  }
})
