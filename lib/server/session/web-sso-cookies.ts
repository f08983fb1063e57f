import 'server-only'
import * as z from 'zod'
import type { SecretBox } from '@/lib/server/secrets/secret-box'
import type { Env } from '@/lib/server/settings/env'
import { cookieName, formatCookie, readCookie } from './cookies'
import { isOverHttps } from './session-cookie'

/** From the button to the way back: time to find a phone for the second factor. */
const STATE_SECONDS = 15 * 60
/** From Keystone's form to our own page, which follows at once. */
const TOKEN_SECONDS = 120
/** Browsers drop longer cookies without a word. */
const LONGEST_COOKIE = 3800

const stateSchema = z.object({ cloud: z.string(), next: z.string(), at: z.number() })
const tokenSchema = z.object({ tokenId: z.string(), at: z.number() })
export type WebSsoState = Pick<z.output<typeof stateSchema>, 'cloud' | 'next'>

type Kind = 'websso-state' | 'websso-token'
type CookieEnv = Pick<Env, 'url'>

const give = (env: CookieEnv, kind: Kind, sealed: string, maxAgeSeconds: number): string =>
  formatCookie(kind, sealed, { maxAgeSeconds, isSecure: isOverHttps(env) })

const take = <Schema extends z.ZodType<{ at: number }>>(
  { box, env, cookie, now }: { box: SecretBox; env: CookieEnv; cookie: string | null; now: Date },
  { kind, schema, seconds }: { kind: Kind; schema: Schema; seconds: number },
): z.output<Schema> | null => {
  const sealed = readCookie(cookie, cookieName(kind, isOverHttps(env)))
  const text = sealed === null ? null : box.open(sealed, kind)
  if (text === null) return null
  const parsed = schema.safeParse(JSON.parse(text))
  const isFresh = parsed.success && now.getTime() - parsed.data.at <= seconds * 1000
  return isFresh ? parsed.data : null
}

/**
 * Keystone returns the browser with a form of a Keystone page, which sends none of our cookies (SameSite=Lax). So the token
 * is stored in a sealed cookie, and the next page, which is ours, compares it with the cookie of the start: a token that
 * another site injected has no start.
 */
export const webSsoCookies = (box: SecretBox, env: CookieEnv) => ({
  state: (state: WebSsoState, now: Date): string =>
    give(
      env,
      'websso-state',
      box.seal(JSON.stringify({ ...state, at: now.getTime() }), 'websso-state'),
      STATE_SECONDS,
    ),
  /** Null when the token is too long for a cookie. */
  token: (tokenId: string, now: Date): string | null => {
    const sealed = box.seal(JSON.stringify({ tokenId, at: now.getTime() }), 'websso-token')
    return sealed.length > LONGEST_COOKIE ? null : give(env, 'websso-token', sealed, TOKEN_SECONDS)
  },
  none: (): string[] => [give(env, 'websso-state', '', 0), give(env, 'websso-token', '', 0)],
  readState: (cookie: string | null, now: Date): WebSsoState | null =>
    take({ box, env, cookie, now }, { kind: 'websso-state', schema: stateSchema, seconds: STATE_SECONDS }),
  readToken: (cookie: string | null, now: Date): string | null =>
    take({ box, env, cookie, now }, { kind: 'websso-token', schema: tokenSchema, seconds: TOKEN_SECONDS })
      ?.tokenId ?? null,
})
