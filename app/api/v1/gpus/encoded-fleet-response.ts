import { isKnownToClient, notModified, REVALIDATED } from '@/lib/server/http/conditional'
import type { EncodedFleet } from '@/lib/services/fleet/encode-fleet'

const takesGzip = (request: Request): boolean =>
  /(^|[\s,])(gzip|\*)\s*(;(?!\s*q=0(\.0*)?\s*(,|$))[^,]*)?(,|$)/i.test(
    request.headers.get('accept-encoding') ?? '',
  )

/** The bytes as they were made, whole or gzipped; 304 when the client holds this version. */
export const encodedFleetResponse = async (request: Request, encoded: EncodedFleet): Promise<Response> => {
  const etag = `W/"${encoded.version}"`
  if (isKnownToClient(request, etag)) return notModified(etag)
  const isZipped = takesGzip(request)
  const body = isZipped ? await encoded.gzip() : encoded.identity
  return new Response(new Uint8Array(body), {
    headers: {
      'content-type': 'application/json',
      'content-length': String(body.byteLength),
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
      etag,
      'cache-control': REVALIDATED,
      vary: 'accept-encoding',
    },
  })
}
