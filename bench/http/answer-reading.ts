type Head = { status: number; etag: string | null; start: number; length: number | null }

/** `length` null: it comes in chunks, as Next sends it. */
const headOf = (bytes: Buffer): Head | null => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const text = bytes.toString('latin1', 0, end)
  const status = Number(text.slice(9, 12))
  const contentLength = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  const etag = /\r\netag: ([^\r]+)/i.exec(text)?.[1] ?? null
  const length = status === 304 ? 0 : contentLength === undefined ? null : Number(contentLength)
  return { status, etag, start: end + 4, length }
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

export type CountedAnswer = { status: number; etag: string | null; bytes: number }

/** One answer as it comes; bodies are counted and not kept. `bytes` is the body on the wire. */
export const countAnswer = () => {
  let head: Head | null = null
  let first: Buffer = Buffer.alloc(0)
  let bytes = 0
  return (chunk: Buffer): CountedAnswer | null => {
    if (head !== null) bytes += chunk.length
    else {
      first = first.length === 0 ? chunk : Buffer.concat([first, chunk])
      head = headOf(first)
      if (head === null) return null
      bytes = first.length - head.start
    }
    const isWhole =
      head.length === null ? chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : bytes >= head.length
    return isWhole ? { status: head.status, etag: head.etag, bytes } : null
  }
}

/** One answer with its head and its body, as text. */
export const readAnswer = () => {
  const count = countAnswer()
  const chunks: Buffer[] = []
  return (chunk: Buffer): string | null => {
    chunks.push(chunk)
    return count(chunk) === null ? null : Buffer.concat(chunks).toString()
  }
}
