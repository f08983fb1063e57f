import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PAGE_POLICIES, UNDESCRIBED_ROUTES } from '../../lib/domain/access/route-policies'
import { API_AREAS } from '../../lib/services/api-description/areas'

const DECLARED = new Set([
  ...Object.keys(PAGE_POLICIES).map((address) => `page ${address}`),
  ...API_AREAS.flatMap(({ operations }) =>
    operations.map(({ method, path: address }) => `${method} ${address}`),
  ),
  ...UNDESCRIBED_ROUTES,
])

/** Answered before Next, by lib/server/front-api alone. */
const IN_FRONT = ['GET /api/v1/gpus', 'GET /api/v1/hosts']

const addressOf = (file: string): string => {
  const parts = path.posix.dirname(file).split('/')
  const named = parts.filter((part) => part !== '.' && !part.startsWith('('))
  return `/${named.join('/').replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')}`
}

const methodsOf = (source: string): string[] =>
  [
    ...source.matchAll(/export (?:const|(?:async )?function) (GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)\b/g),
  ].map(([, method = '']) => method)

/** Ways to give away a method that its name can't be read of; no policy can name the result. */
const HIDDEN_EXPORT = /export\s*(?:\{|\*|default\b|let\b|var\b|const\s*[[{])/

/** Files of Next that also answer an address. */
const METADATA = /^(?:robots|sitemap|manifest|(?:opengraph|twitter)-image\d*|icon\d*|apple-icon\d*)\.[jt]sx?$/

/** Pages (`page /address`) and routes (`GET /address`) below `app`. */
export const listRoutes = (app: string): string[] =>
  readdirSync(app, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const name = path.posix.basename(file)
    if (/^page\.[jt]sx?$/.test(name)) return [`page ${addressOf(file)}`]
    if (METADATA.test(name)) return [`file ${file}`]
    if (!/^route\.[jt]sx?$/.test(name)) return []
    const source = readFileSync(path.join(app, file), 'utf8')
    const methods = methodsOf(source)
    const hidden = methods.length === 0 || HIDDEN_EXPORT.test(source) ? [`file ${file}`] : []
    return [...methods.map((method) => `${method} ${addressOf(file)}`), ...hidden]
  })

/** Why the routes below a folder must not be built: its policy is missing, or is of a route that does not exist. */
export const whyUndeclared = (app: string): string[] => {
  const routes = listRoutes(app)
  const served = new Set([...routes, ...IN_FRONT])
  return [
    ...routes
      .filter((route) => !DECLARED.has(route))
      .map(
        (route) =>
          `"${route}" has no policy: add it to lib/domain/access/route-policies.ts or lib/services/api-description.`,
      ),
    ...[...DECLARED]
      .filter((route) => !served.has(route))
      .map((route) => `"${route}" has a policy, but is not there.`),
  ]
}

const PROXIES = /^(middleware|proxy)\.[cm]?[jt]sx?$/

/** Folders in which Next would look for routes, in addition to `app`. */
const OTHER_ROUTES = /^(pages|src)$/

/** Files that Next would run in front of its routes, and folders of routes that are not checked: neither may exist. */
export const listProxies = (root: string): string[] =>
  [root, path.join(root, 'app'), path.join(root, 'src')].flatMap((folder) => {
    try {
      return readdirSync(folder).filter(
        (name) => PROXIES.test(name) || (folder === root && OTHER_ROUTES.test(name)),
      )
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  })
