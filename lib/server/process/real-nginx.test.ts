import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { createHttpServer } from './http-server'
import { listen } from './listen'
import { closeHttpServer } from './run-server'

const hasNginx = spawnSync('nginx', ['-v']).status === 0

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** The example of docs/proxy.md, without TLS. */
const documented = async (): Promise<string> => {
  const text = await readFile(join(rootDirectory(), 'docs/proxy.md'), 'utf8')
  const example = /```nginx\n([\s\S]+?)```/.exec(text)?.[1] ?? ''
  expect(example).toContain('proxy_pass http://127.0.0.1:3000;')
  return example.replace(/^ *ssl_certificate.*\n/gm, '')
}

const runNginx = async (server: string, consolePort: number): Promise<string> => {
  const folder = makeTemporaryDirectory('sliceboard-nginx')
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const block = server
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${consolePort}`)
  const config = `daemon off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${temporary.join(' ')}\n${block} }`
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'nginx.conf'), config)
  const nginx: ChildProcess = spawn('nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => nginx.once('close', resolve))
    nginx.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(origin, { headers: { host: 'sliceboard.example.org' } }), { timeout: 10_000 })
  return origin
}

const openConsole = async (options: { hasSignIn: boolean; url: string | null }): Promise<number> => {
  const http = createHttpServer({
    isDevelopment: false,
    log: pino({ level: 'silent' }),
    proxies: 1,
    ...options,
  })
  onTestFinished(() => closeHttpServer(http))
  http.serve(async (req, res) => res.end(JSON.stringify(req.headers)))
  return listen({ server: http.server, host: '127.0.0.1', port: 0 })
}

test.runIf(hasNginx)('the documented nginx passes host, client and protocol on', async () => {
  const port = await openConsole({ hasSignIn: true, url: 'https://sliceboard.example.org' })
  const origin = await runNginx(await documented(), port)
  const answer = await fetch(`${origin}/gpus?model=T4`, {
    headers: { host: 'sliceboard.example.org', 'x-forwarded-for': '192.0.2.7' },
  })
  expect(await answer.json()).toMatchObject({
    'x-forwarded-proto': 'http',
    // What the client wrote is not believed: the proxy's own entry is.
    'x-client-address': '127.0.0.1',
    'x-page-path': '/gpus?model=T4',
  })
})

test.runIf(hasNginx)('behind nginx with its default headers a console without sign-in refuses', async () => {
  const port = await openConsole({ hasSignIn: false, url: null })
  const origin = await runNginx(
    'server { listen 443 ssl; location / { proxy_pass http://127.0.0.1:3000; } }',
    port,
  )
  const answer = await fetch(`${origin}/gpus`)
  expect(answer.status).toBe(403)
  expect(await answer.text()).toContain('This request came through a proxy')
})
