import 'server-only'
import { createHash } from 'node:crypto'

/** A browser keeps nothing of it on its disk; a page that holds it in memory asks with its ETag (lib/api/client.ts). */
export const HELD_BY_PAGES = 'no-store'

/** True when the client holds this version already (RFC 9110 13.1.2; compared weakly). */
export const isKnownToClient = (ifNoneMatch: string | null | undefined, etag: string): boolean => {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}

const unlessKnown = (request: Request, { body, tag }: { body: () => string; tag: string }): Response => {
  const etag = `W/"${tag}"`
  const headers = { etag, 'cache-control': HELD_BY_PAGES }
  if (isKnownToClient(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  return new Response(body(), { headers: { ...headers, 'content-type': 'application/json' } })
}

/** JSON with an ETag of its content; 304 without a body when the client holds it. */
export const conditionalJson = (request: Request, value: unknown): Response => {
  const body = JSON.stringify(value)
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return unlessKnown(request, { body: () => body, tag })
}

/** The same for content that carries its version: the client that knows the content knows its ETag, too. */
export const versionedJson = (request: Request, value: { version: string }): Response =>
  unlessKnown(request, { body: () => JSON.stringify(value), tag: value.version })
