import type { ApiRequest } from './api-request'

export type RouteParams = Readonly<Record<string, string>>

/** `GET /resource_providers/:uuid/traits` and what answers it. */
export type Route<Handler> = { method: string; path: string; handler: Handler }

export type RouteMatch<Handler> =
  | { kind: 'found'; handler: Handler; params: RouteParams }
  | { kind: 'other-method'; allowed: string[] }
  | { kind: 'none' }

const matchPath = (pattern: string, path: string): RouteParams | null => {
  const wanted = pattern.split('/')
  const given = path.replace(/(.)\/$/, '$1').split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(text)
    else if (part !== text) return null
  }
  return params
}

/** Finds the first route that fits; literal paths stand before those with parameters. */
export const findRoute = <Handler>(
  routes: readonly Route<Handler>[],
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
): RouteMatch<Handler> => {
  const allowed: string[] = []
  for (const route of routes) {
    const params = matchPath(route.path, path)
    if (params === null) continue
    if (route.method === method) return { kind: 'found', handler: route.handler, params }
    allowed.push(route.method)
  }
  return allowed.length === 0 ? { kind: 'none' } : { kind: 'other-method', allowed }
}
