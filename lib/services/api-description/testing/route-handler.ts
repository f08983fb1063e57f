import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { rootDirectory } from '@/lib/server/settings/root-directory'

type Handler = (request: Request, segment: { params: Promise<Record<string, string>> }) => Promise<Response>
type Module = Record<string, Handler | undefined>

const routeFiles = (): string[] =>
  readdirSync(path.join(rootDirectory(), 'app/api'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('/route.ts'),
  )

/** `v1/hosts/[host]/route.ts` as a pattern with its names. */
const patternOf = (file: string): { pattern: RegExp; names: string[] } => {
  const names: string[] = []
  const source = path.posix
    .dirname(file)
    .replaceAll('.', '\\.')
    .replaceAll(/\[(\w+)\]/g, (_part, name: string) => {
      names.push(name)
      return '([^/]+)'
    })
  return { pattern: new RegExp(`^/api/${source}$`), names }
}

const toRequest = (req: IncomingMessage): Request =>
  new Request(new URL(req.url ?? '/', 'http://in.front'), {
    method: req.method ?? 'GET',
    headers: Object.entries(req.headers).map(([name, value]): [string, string] => [
      name,
      [value].flat().join(', '),
    ]),
    ...(req.method === 'GET' || req.method === 'HEAD'
      ? {}
      : // `duplex` is what a body that streams takes, and is not in the types.
        ({ body: Readable.toWeb(req), duplex: 'half' } as RequestInit)),
  })

/** The routes below app/api by their folders, as Next finds them; null: there is none. */
export const createRouteHandler = async () => {
  const routes = await Promise.all(
    routeFiles().map(async (file) => ({
      ...patternOf(file),
      module: (await import(path.join(rootDirectory(), 'app/api', file))) as Module,
    })),
  )
  // Of two routes the one without a name in that place is meant.
  const ordered = routes.toSorted((a, b) => a.names.length - b.names.length)
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const requested = (req.url ?? '/').split('?', 1)[0] ?? '/'
    const found = ordered.find(({ pattern, module }) => pattern.test(requested) && module[req.method ?? ''])
    const handler = found?.module[req.method ?? '']
    if (found === undefined || handler === undefined) {
      res.writeHead(404, { 'content-type': 'application/json' }).end('null')
      return
    }
    const values = found.pattern.exec(requested)?.slice(1) ?? []
    const params = Object.fromEntries(
      found.names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]),
    )
    const response = await handler(toRequest(req), { params: Promise.resolve(params) })
    res.writeHead(response.status, Object.fromEntries(response.headers))
    res.end(Buffer.from(await response.arrayBuffer()))
  }
}
