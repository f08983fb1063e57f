import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '@/agent/http/testing/loopback-certificate'
import { createTransport } from './create-transport'
import { readSystemCertificates } from './system-certificates'
import { serve } from './testing/serve'

const folder = mkdtempSync(join(tmpdir(), 'sliceboard-ca-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const requestWith = async (caPem: string) => {
  const served = await serve(() => ({ body: { ok: true } }), {
    cert: LOOPBACK_CERTIFICATE,
    key: LOOPBACK_KEY,
  })
  const transport = createTransport({
    cloud: 'test',
    requestsPerSecond: 1000,
    timeoutMs: 2000,
    caPem,
    verify: true,
    allowedOrigins: [served.origin],
  })
  try {
    return await transport.request({ service: 'nova', method: 'GET', url: `${served.origin}/` })
  } finally {
    await transport.close()
    await served.stop()
  }
}

test('a certificate authority in the system store is trusted in addition to those of Node.js', async () => {
  const bundle = join(folder, 'ca-certificates.crt')
  writeFileSync(bundle, LOOPBACK_CERTIFICATE)
  const pem = readSystemCertificates({ file: null, bundles: [join(folder, 'missing'), bundle] })
  expect(pem).toContain(rootCertificates[0])
  expect(await requestWith(pem)).toMatchObject({ status: 200 })
})

test('SSL_CERT_FILE takes the place of the system store', async () => {
  const file = join(folder, 'named.pem')
  writeFileSync(file, LOOPBACK_CERTIFICATE)
  const pem = readSystemCertificates({ file, bundles: [] })
  expect(await requestWith(pem)).toMatchObject({ status: 200 })
})

test('without a store those of Node.js remain, and an unknown authority is refused', async () => {
  const pem = readSystemCertificates({ file: null, bundles: [join(folder, 'nothing')] })
  expect(pem).toBe(rootCertificates.join('\n'))
  await expect(requestWith(pem)).rejects.toMatchObject({ kind: 'tls' })
})
