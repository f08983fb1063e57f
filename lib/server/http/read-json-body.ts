import 'server-only'
import { ServiceError } from '@/lib/server/errors/service-error'
import { checkText } from './check-text'

/** Bytes that a browser's request body may have. */
export const MAX_BODY_BYTES = 65_536

const tooLarge = () =>
  new ServiceError(
    'too_large',
    `The body has more than ${MAX_BODY_BYTES} bytes, but at most that many are read.`,
  )

export const readBytes = async (request: Request): Promise<Uint8Array> => {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) return Buffer.concat(chunks)
    size += next.value.byteLength
    if (size > MAX_BODY_BYTES) {
      await reader?.cancel()
      throw tooLarge()
    }
    chunks.push(next.value)
  }
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new ServiceError('validation', 'The body is not JSON in UTF-8.', { cause: error })
  }
}

export const readJsonBody = async (request: Request): Promise<unknown> => {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ServiceError('validation', `The content-type is "${type}", but must be application/json.`)
  }
  const body = parseJson(await readBytes(request))
  checkText(body)
  return body
}
