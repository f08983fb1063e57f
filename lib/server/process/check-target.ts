import 'server-only'
import { ServiceError } from '@/lib/server/errors/service-error'

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new ServiceError(
      'validation',
      'The path has a malformed percent escape: write each as % and two hex digits, in UTF-8.',
    )
  }
}

/**
 * Refuses request targets that no route has. Next answers them with 500 or with a redirect that leads to another host: an
 * absolute address, an empty part (`//host`), a backslash, a malformed escape, NUL.
 */
export const checkTarget = (target: string): void => {
  if (!target.startsWith('/'))
    throw new ServiceError('validation', 'The request target must be a path that begins with "/".')
  const [path = '', ...search] = target.split('?')
  if (/\/\/|\\/.test(path))
    throw new ServiceError('not_found', 'There is nothing at this path: it has an empty part or a backslash.')
  if (decoded(path).includes('\0') || /%00/.test(search.join('?')))
    throw new ServiceError('validation', 'The address has a NUL character (%00), which no value may have.')
}
