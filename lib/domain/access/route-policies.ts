/**
 * Who may open a page. `anyone`; `account`: everyone who has signed in and chosen a scope; `project`: in a project;
 * `fleet`: everyone with `fleet.read`. The services decide what the page contains.
 */
type PagePolicy = 'anyone' | 'account' | 'project' | 'fleet'

/** Each page by its address, with `{name}` for each part that varies. A page that is not here does not build. */
export const PAGE_POLICIES: Readonly<Record<string, PagePolicy>> = {
  '/': 'fleet',
  '/capacity': 'fleet',
  '/capacity/reviews': 'fleet',
  '/capacity/reviews/preview': 'fleet',
  '/capacity/reviews/{id}': 'fleet',
  '/capacity/what-if': 'fleet',
  '/catalog': 'project',
  '/changes': 'fleet',
  '/changes/new': 'fleet',
  '/changes/new/fence': 'fleet',
  '/changes/new/flavor': 'fleet',
  '/changes/new/limits': 'fleet',
  '/changes/new/orphans': 'fleet',
  '/changes/new/passthrough': 'fleet',
  '/changes/new/type': 'fleet',
  '/changes/{id}': 'fleet',
  '/findings': 'fleet',
  '/findings/{id}': 'fleet',
  '/flavors': 'fleet',
  '/flavors/{flavor}': 'fleet',
  '/gpu-room': 'fleet',
  '/gpu-servers': 'fleet',
  '/gpus': 'fleet',
  '/gpus/{host}/{address}': 'fleet',
  '/help': 'account',
  '/help/{path}': 'account',
  '/hosts': 'fleet',
  '/hosts/{host}': 'fleet',
  '/hosts/{host}/reboot': 'fleet',
  '/login': 'anyone',
  '/migration': 'fleet',
  '/quotas': 'fleet',
  '/quotas/requests': 'fleet',
  '/quotas/requests/{id}': 'fleet',
  '/quotas/set-up': 'fleet',
  '/removed-hosts': 'fleet',
  '/requests': 'project',
  '/scenarios': 'fleet',
  '/servers': 'project',
  '/settings': 'fleet',
  '/settings/agents': 'fleet',
  '/settings/api': 'account',
  '/settings/api-tokens': 'account',
  '/settings/audit': 'fleet',
  '/settings/cloud': 'fleet',
  '/settings/prices': 'fleet',
  '/settings/sessions': 'account',
  '/settings/webhooks': 'fleet',
  '/types/{type}': 'fleet',
  '/vgpu-actions': 'fleet',
}

/** Routes that the API's description leaves out, since no script asks them: all of them are for anybody. */
export const UNDESCRIBED_ROUTES: readonly string[] = [
  'GET /api/v1/openapi.json',
  'GET /api/v1/session/websso',
  'GET /api/v1/session/websso/finish',
  'POST /api/v1/session/websso',
  // What is not there.
  'DELETE /api/{path}',
  'GET /api/{path}',
  'PATCH /api/{path}',
  'POST /api/{path}',
  'PUT /api/{path}',
]
