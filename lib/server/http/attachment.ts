import 'server-only'

/** A file for the reader to keep, CSV unless its type says otherwise; `text` may come as a stream of UTF-8. */
export const attachment = ({
  name,
  type = 'text/csv; charset=utf-8',
  text,
}: {
  name: string
  type?: string
  text: string | ReadableStream<Uint8Array>
}): Response =>
  new Response(text, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
