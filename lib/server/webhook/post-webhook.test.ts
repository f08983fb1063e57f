import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { webhookSignature } from './post-webhook'

type Check = (message: { signature: string; body: string; secret: string }) => boolean

/** The unchanged example for receivers from docs/webhooks.md. */
const documented = async (): Promise<Check> => {
  const [, source = ''] =
    /```js\n(.*?)```/s.exec(readFileSync(path.resolve('docs/webhooks.md'), 'utf8')) ?? []
  const folder = makeTemporaryDirectory('receiver')
  const file = path.join(folder, 'receiver.mjs')
  writeFileSync(file, source)
  try {
    const { isFromConsole } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      isFromConsole: Check
    }
    return isFromConsole
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the documented receiver believes what is signed now and nothing else', async () => {
  const isFromConsole = await documented()
  const [secret, body, now] = ['sbws_secret', '{"event":"test"}', new Date()]
  const signature = webhookSignature(secret, { at: now, body })
  expect(isFromConsole({ signature, body, secret })).toBe(true)
  expect(isFromConsole({ signature, body: `${body} `, secret })).toBe(false)
  expect(isFromConsole({ signature, body, secret: 'another' })).toBe(false)
  expect(isFromConsole({ signature: 'v1=nothing', body, secret })).toBe(false)
  const old = webhookSignature(secret, { at: new Date(now.getTime() - 600_000), body })
  expect(isFromConsole({ signature: old, body, secret })).toBe(false)
  const moved = signature.replace(/t=\d+/, `t=${Math.floor(now.getTime() / 1000) + 1}`)
  expect(isFromConsole({ signature: moved, body, secret })).toBe(false)
})
