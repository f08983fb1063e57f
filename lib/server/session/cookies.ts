import 'server-only'

type CookieOptions = {
  /** Seconds; null: until the browser closes; 0 takes it away. */
  maxAgeSeconds: number | null
  isSecure: boolean
}

/** `__Host-` pins a cookie to this very host and to TLS; a browser takes it over HTTPS only. */
export const cookieName = (name: string, isSecure: boolean): string =>
  isSecure ? `__Host-sliceboard-${name}` : `sliceboard-${name}`

/** The value of one cookie; of a repeated name the first. */
export const readCookie = (header: string | null | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return null
}

/** `value` must be of cookie characters (base64url, dots). */
export const formatCookie = (
  name: string,
  value: string,
  { maxAgeSeconds, isSecure }: CookieOptions,
): string =>
  [
    `${cookieName(name, isSecure)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    ...(maxAgeSeconds === null ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ].join('; ')
