import { isKnownToClient, notModified, REVALIDATED } from '@/lib/server/http/conditional'
import type { EncodedFleet } from '@/lib/services/fleet/encode-fleet'

const takesGzip = (request: Request): boolean =>
  (request.headers.get('accept-encoding') ?? '').split(',').some((part) => {
    const [name, ...params] = part.toLowerCase().split(';')
    const isRefused = params.some((param) => /^\s*q=0(\.0*)?\s*$/.test(param))
    return (name?.trim() === 'gzip' || name?.trim() === '*') && !isRefused
  })

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
