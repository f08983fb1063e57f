import 'server-only'
import type { Encoded, Language } from '@/lib/util/encode/encoded'
import { contentDisposition } from '@/lib/util/encode/file-name'

/** A file to download, CSV unless its type is given; `text` may be a stream of UTF-8. */
export const attachment = ({
  name,
  type = 'text/csv; charset=utf-8',
  text,
}: {
  name: string
  type?: string
  text: Encoded<Language> | ReadableStream<Uint8Array>
}): Response =>
  new Response(text, {
    headers: {
      'content-type': type,
      'content-disposition': contentDisposition(name),
      'cache-control': 'no-store',
    },
  })
