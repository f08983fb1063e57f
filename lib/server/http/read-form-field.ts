import 'server-only'
import { ServiceError } from '@/lib/server/errors/service-error'
import { readBytes } from './read-json-body'

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** One required field of an HTML form. Its value may be secret, so no error contains it. */
export const readFormField = async (request: Request, name: string): Promise<string> => {
  const type = request.headers.get('content-type') ?? ''
  if (!FORM.test(type)) {
    throw new ServiceError(
      'validation',
      `The content-type is "${type}", but must be application/x-www-form-urlencoded.`,
    )
  }
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request)))
  const value = form.get(name)?.trim() ?? ''
  if (value === '')
    throw new ServiceError('validation', `${name} is missing, but the form must carry it.`, { field: name })
  return value
}
