import type { CloudConfig } from '../clouds/cloud-config'
import {
  type Answerer,
  type SeenRequest,
  type Served,
  type ServedAnswer,
  serve,
} from '../transport/testing/serve'

/** Keystone's own form of a token, with a catalog of Nova and Placement on the same origin. */
const tokenBody = (origin: string, { scope = 'project', lifeMs = 3_600_000 } = {}) => {
  const now = Date.now()
  const domain = { id: 'default', name: 'Default' }
  const entry = (id: string, type: string, path: string) => ({
    id,
    type,
    name: type,
    endpoints: ['public', 'internal', 'admin'].map((name) => ({
      id: `${id}-${name}`,
      interface: name,
      region_id: 'RegionOne',
      region: 'RegionOne',
      url: `${origin}${path}`,
    })),
  })
  return {
    token: {
      methods: ['password'],
      user: { id: 'u1', name: 'sliceboard', domain, password_expires_at: null },
      audit_ids: ['a'],
      expires_at: new Date(now + lifeMs).toISOString(),
      issued_at: new Date(now).toISOString(),
      roles: [{ id: 'r1', name: 'admin' }],
      ...(scope === 'system'
        ? { system: { all: true } }
        : { project: { id: 'p1', name: 'service', domain } }),
      catalog: [
        entry('keystone', 'identity', '/v3'),
        entry('nova', 'compute', '/compute/v2.1'),
        entry('placement', 'placement', '/placement'),
      ],
    },
  }
}

export type ServedCloud = Served & { config: CloudConfig }

/**
 * A server that issues tokens (`token-1`, `token-2`, …) and leaves everything else to `answer`, which gets the path below
 * the origin. Unlike a simulator, it returns exactly what a test specifies.
 */
export const serveCloud = async (
  answer: Answerer,
  { lifeMs = 3_600_000, novaMax = '2.96', placementMax = '1.39' } = {},
): Promise<ServedCloud> => {
  let origin = ''
  let tokens = 0
  const issue = (request: SeenRequest): ServedAnswer => {
    tokens += 1
    const scope = request.body.includes('"system"') ? 'system' : 'project'
    return {
      status: 201,
      headers: { 'x-subject-token': `token-${tokens}` },
      body: tokenBody(origin, { scope, lifeMs }),
    }
  }
  const versions: Record<string, unknown> = {
    '/placement/': {
      versions: [{ id: 'v1.0', max_version: placementMax, min_version: '1.0', status: 'CURRENT' }],
    },
    '/compute/v2.1/': { version: { id: 'v2.1', version: novaMax, min_version: '2.1', status: 'CURRENT' } },
    '/v3/': { version: { id: 'v3.14', status: 'stable' } },
  }
  const served = await serve((request, count) => {
    if (request.method === 'POST' && request.url === '/v3/auth/tokens') {
      const own = answer(request, count)
      return own === 'drop' || own === 'hang' || own.status !== 404 ? own : issue(request)
    }
    const version = versions[request.url]
    return version === undefined ? answer(request, count) : { body: version }
  })
  origin = served.origin
  return {
    ...served,
    config: {
      name: 'test',
      region: 'RegionOne',
      authUrl: served.origin,
      auth: {
        kind: 'password',
        user: { name: 'sliceboard', domain: { id: 'default' } },
        password: 'Zwetschge',
        project: { name: 'service', domain: { id: 'default' } },
        trustId: null,
        isSystemScoped: false,
      },
      interfaces: ['public'],
      verify: true,
      caFile: null,
      caPem: null,
      clientCertificate: null,
      services: {},
      timeoutMs: 5000,
      requestsPerSecond: 1000,
    },
  }
}
