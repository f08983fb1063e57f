import 'server-only'
import type { Env } from '@/lib/server/settings/env'
import { cookieName, formatCookie, readCookie } from './cookies'

/** Whether browsers reach the console over TLS, by a proxy in front. */
export const isOverHttps = ({ url }: Pick<Env, 'url'>): boolean => url?.startsWith('https://') === true

const sessionCookieName = (env: Pick<Env, 'url'>): string => cookieName('session', isOverHttps(env))

/** The value that a browser sent. */
export const readSessionCookie = (env: Pick<Env, 'url'>, cookie: string | null): string | null =>
  readCookie(cookie, sessionCookieName(env))

/** Until the browser closes; the server decides how long it holds. */
export const sessionCookie = (env: Pick<Env, 'url'>, id: string): string =>
  formatCookie('session', id, { maxAgeSeconds: null, isSecure: isOverHttps(env) })

export const noSessionCookie = (env: Pick<Env, 'url'>): string =>
  formatCookie('session', '', { maxAgeSeconds: 0, isSecure: isOverHttps(env) })
