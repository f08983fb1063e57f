import 'server-only'
import type { ServerResponse } from 'node:http'

/** Only the console sets this header, with a different value for each page. */
export const NONCE_HEADER = 'x-nonce'

const KEY = Symbol.for('sliceboard.page-signals')
// server.ts and Next's bundle each load their own copy of this module; globalThis is what they share.
const holder = globalThis as { [KEY]?: Map<string, AbortSignal> }

/** Next gives a page no signal of its request, so the server in front keeps one until the answer ends. */
export const storePageSignal = (nonce: string, res: ServerResponse): void => {
  holder[KEY] ??= new Map()
  const signals = holder[KEY]
  const leaving = new AbortController()
  signals.set(nonce, leaving.signal)
  res.once('close', () => {
    signals.delete(nonce)
    if (!res.writableFinished) leaving.abort()
  })
}

/** Aborts when the browser closes the connection before it has the page. */
export const pageSignal = (nonce: string | null): AbortSignal | undefined =>
  nonce === null ? undefined : holder[KEY]?.get(nonce)
