import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatCredential, newCredentialSecret, newJoinToken } from '@/lib/server/secrets/agent-secrets'
import { newApiToken, newSessionId } from '@/lib/server/secrets/session-secrets'
import { formatCookie } from '@/lib/server/session/cookies'
import { newWebhookSecret } from '@/lib/services/webhook/create-webhook'
import { findSecrets } from './find-secrets'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-canaries-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const foundIn = (name: string, content: string | Buffer): string[] => {
  writeFileSync(path.join(folder, name), content)
  return findSecrets([folder]).found.map(({ what }) => what)
}

const zipOf = (text: string): Buffer => {
  const head = Buffer.alloc(30)
  head.write('PK\u0003\u0004', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(1, 26)
  return Buffer.concat([head, Buffer.from('a'), deflateRawSync(text), Buffer.from('PK\u0001\u0002')])
}

test.each([
  ['join token', newJoinToken().token],
  ['credential of an agent', formatCredential(7, newCredentialSecret().secret)],
  ['API token', newApiToken().secret],
  ['secret of a webhook', newWebhookSecret()],
  [
    'cookie of a session',
    formatCookie('session', newSessionId().secret, { maxAgeSeconds: null, isSecure: true }),
  ],
  [
    'private key',
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ],
  ['token of Keystone', `gAAAAAB${'x'.repeat(128)}`],
])('a %s is found where it was let slip', (what, secret) => {
  expect(foundIn('run.log', `{"level":50,"token":"${secret}"}\n`)).toEqual([what])
})

test('also inside of folders, archives and what is packed', () => {
  const { token } = newJoinToken()
  mkdirSync(path.join(folder, 'inner'))
  expect(foundIn('inner/report.json', 'nothing')).toEqual([])
  expect(foundIn('inner/trace.zip', zipOf(`text ${token}`))).toEqual(['join token'])
  expect(foundIn('body.json.gz', gzipSync(token))).toHaveLength(2)
})

test('in what a killed process left unfinished, too', () => {
  const packed = gzipSync(`${newJoinToken().token} ${'more '.repeat(1000)}`)
  expect(foundIn('half.json.gz', packed.subarray(0, packed.length - 12))).toEqual(['join token'])
  expect(foundIn('half.zip', zipOf('nothing').subarray(0, 34))).toHaveLength(1)
})

test('the words that stand for a secret are none', () => {
  expect(foundIn('run.log', 'sbjt_… sbac_1_hidden sbat_<secret> gAAAAA***')).toEqual([])
  expect(findSecrets([path.join(folder, 'gone')])).toEqual({ files: 0, found: [] })
})
