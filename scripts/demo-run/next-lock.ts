import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DemoError } from './demo-options'
import { isAlive } from './folder-lock'

/** What Next writes there while it runs (next/dist/build/lockfile.js); null for anything else. */
const holderIn = (text: string): { pid: number; url: string } | null => {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed)) return null
    const url = 'appUrl' in parsed && typeof parsed.appUrl === 'string' ? parsed.appUrl : ''
    return typeof parsed.pid === 'number' ? { pid: parsed.pid, url } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * Throws DemoError when Next runs in development mode in this checkout already, which it does once at a time, with any
 * folder the state lies in.
 */
export const refuseSecondNext = (root: string): void => {
  const file = path.join(root, '.next', 'dev', 'lock')
  const holder = existsSync(file) ? holderIn(readFileSync(file, 'utf8')) : null
  if (holder === null || !isAlive(holder.pid)) return
  throw new DemoError(
    `"npm run dev" runs in this checkout already, as process ${holder.pid} at ${holder.url}: use that one, or stop it first.`,
  )
}
