import 'server-only'
import type { IncomingMessage } from 'node:http'

/** The path and the search of a question that only reads; null: it is another one. */
export const requestPath = ({
  method,
  url = '',
}: IncomingMessage): { path: string; search: string } | null => {
  if (method !== 'GET' && method !== 'HEAD') return null
  const [path = '', search = ''] = url.split('?', 2)
  return { path, search }
}
