import { isKnownToClient, notModified, REVALIDATED } from '@/lib/server/http/conditional'
import type { EncodedFleet } from '@/lib/services/fleet/encode-fleet'

/**
 * The bytes as they were made; 304 when the client holds this version. Next takes content-encoding away from a route's
 * answer (next/dist/server/send-response.js) and gzips by itself, so gzipped bytes would arrive gzipped twice.
 */
export const encodedFleetResponse = (request: Request, encoded: EncodedFleet): Response => {
  const etag = `W/"${encoded.version}"`
  if (isKnownToClient(request, etag)) return notModified(etag)
  return new Response(new Uint8Array(encoded.identity), {
    headers: {
      'content-type': 'application/json',
      etag,
      'cache-control': REVALIDATED,
    },
  })
}
