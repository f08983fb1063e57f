import { segment, withQuery, withQuestion } from './address'

/** The cloud that a link stays in; null or absent means the first cloud by name, which needs no parameter. */
type InCloud = { cloud?: string | null | undefined }

/** Parameters of a page that it names itself. */
type WithSearch = { search?: Record<string, string> }

type Gpus = readonly { host: string; address: string }[]

/** pGPUs by name, or all that the list shows with a filter, in the form of its address. */
type Chosen = { gpus?: Gpus; filter?: string | undefined }

type PageQuery = { limit: string; cursor: string | null }

const gpusText = (gpus: Gpus): string => gpus.map(({ host, address }) => `${host},${address}`).join(' ')

export const overviewPath = ({ cloud }: InCloud = {}): string => withQuery('/', { cloud })

/** `search` holds the list's own parameters (filters, grouping, sort), as its page names them. */
export const gpusPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/gpus', { cloud, ...search })

/** `query`: search parameters of the list, as a saved view has them. */
export const savedViewPath = ({ cloud, query }: InCloud & { query: string }): string => {
  const path = gpusPath({ cloud })
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
}

export const gpuPath = ({ cloud, host, address }: InCloud & { host: string; address: string }): string =>
  withQuery(`/gpus/${segment(host)}/${segment(address)}`, { cloud })

export const hostsPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/hosts', { cloud, ...search })

export const hostPath = ({ cloud, host }: InCloud & { host: string }): string =>
  withQuery(`/hosts/${segment(host)}`, { cloud })

/** What a reboot of the host would do. */
export const hostRebootPath = ({ cloud, host }: InCloud & { host: string }): string =>
  withQuery(`/hosts/${segment(host)}/reboot`, { cloud })

/** Hosts that were removed, to look them up or to restore them. */
export const removedHostsPath = ({ cloud }: InCloud = {}): string => withQuery('/removed-hosts', { cloud })

/** From which host to which servers with vGPUs can be live-migrated. */
export const migrationPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/migration', { cloud, ...search })

/** What works with vGPUs on the cloud's release of Nova. */
export const vgpuActionsPath = ({ cloud }: InCloud = {}): string => withQuery('/vgpu-actions', { cloud })

/** `keep`: what the calculator counts, `on`: for whom. */
export const gpuHeadroomPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/gpu-room', { cloud, ...search })

/** Where a fence for GPU servers is prepared, for a host. */
export const newReservationPath = ({
  cloud,
  host,
  search = {},
}: InCloud & { host: string; search?: Record<string, string> }): string =>
  withQuery('/changes/new/fence', { cloud, host, ...search })

/** `search` has the page's own parameters (range, grouping, the selected group). */
export const capacityPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/capacity', { cloud, ...search })

/** Months and quarters with their reviews. `search`: the page's own parameters. */
export const reviewsPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/capacity/reviews', { cloud, ...search })

export const reviewPath = ({ cloud, id }: InCloud & { id: number }): string =>
  withQuery(`/capacity/reviews/${id}`, { cloud })

/** What the review of a period would say now. `zone` null: the console's time zone. */
export const reviewPreviewPath = ({
  cloud,
  ...question
}: InCloud & { period: string; zone: string | null; by?: string; key?: string }): string =>
  withQuery('/capacity/reviews/preview', { cloud, ...question })

export const flavorsPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/flavors', { cloud, ...search })

/** `flavor` is Nova's id of it. */
export const flavorPath = ({ cloud, flavor }: InCloud & { flavor: string }): string =>
  withQuery(`/flavors/${segment(flavor)}`, { cloud })

/** `type` is a vGPU type's id: `nvidia-222`. */
export const typePath = ({ cloud, type }: InCloud & { type: string }): string =>
  withQuery(`/types/${segment(type)}`, { cloud })

/** `search` holds the list's own parameters, as its page names them. */
export const quotasPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/quotas', { cloud, ...search })

export const findingsPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/findings', { cloud, ...search })

export const findingPath = ({ cloud, id }: InCloud & { id: number }): string =>
  withQuery(`/findings/${id}`, { cloud })

export const changesPath = ({ cloud }: InCloud = {}): string => withQuery('/changes', { cloud })

export const changePath = ({ cloud, id }: InCloud & { id: number }): string =>
  withQuery(`/changes/${id}`, { cloud })

/** Where a plan for traits is prepared: for chosen pGPUs (`host,address`, several with a space between), or for a type. */
export const newTraitsPath = ({
  cloud,
  gpus = [],
  filter,
  type,
  isLost = false,
  isManaged = false,
  search = {},
}: InCloud &
  WithSearch &
  Chosen & {
    type?: string
    /** What the providers lost is to go back. */
    isLost?: boolean
    isManaged?: boolean
  }): string =>
  withQuery('/changes/new', {
    cloud,
    gpus: gpusText(gpus),
    filter,
    type,
    what: isLost ? 'lost' : undefined,
    keep: isManaged ? 'true' : undefined,
    ...search,
  })

/** Where the removal of orphaned mdevs is prepared: for chosen pGPUs as above, or for the whole fleet. */
export const newOrphansPath = ({ cloud, gpus = [], filter }: InCloud & Chosen = {}): string =>
  withQuery('/changes/new/orphans', { cloud, gpus: gpusText(gpus), filter })

/** Where a flavor is built, or where those of these ids are changed. */
export const newFlavorPath = ({
  cloud,
  flavors = [],
  search = {},
}: InCloud & WithSearch & { flavors?: readonly string[] } = {}): string =>
  withQuery('/changes/new/flavor', {
    cloud,
    flavors: flavors.length === 0 ? null : JSON.stringify(flavors),
    ...search,
  })

/** What projects ask for. `search` holds the list's own parameters. */
export const quotaRequestsPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/quotas/requests', { cloud, ...search })

export const quotaRequestPath = ({ cloud, id }: InCloud & { id: number }): string =>
  withQuery(`/quotas/requests/${id}`, { cloud })

/** Where unified limits are set up, step by step. */
export const limitSetUpPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/quotas/set-up', { cloud, ...search })

/** Where limits are changed; `projectId` null: the registered default. */
export const newLimitsPath = ({
  cloud,
  limits,
  search = {},
}: InCloud &
  WithSearch & { limits: readonly { resourceName: string; projectId: string | null }[] }): string =>
  withQuery('/changes/new/limits', {
    cloud,
    limits:
      limits.length === 0
        ? null
        : JSON.stringify(limits.map(({ resourceName, projectId }) => ({ resourceName, projectId }))),
    ...search,
  })

/** Where a change of the vGPU type is prepared, for chosen pGPUs or a filter as above; `type`: the id of the wanted one. */
export const newTypePath = ({
  cloud,
  gpus,
  filter,
  type,
  search = {},
}: InCloud & WithSearch & Chosen & { gpus: Gpus; type?: string }): string =>
  withQuery('/changes/new/type', {
    cloud,
    gpus: gpusText(gpus),
    filter,
    type,
    ...search,
  })

/** Where a change is prepared that hands cards out whole, or gives them back to the driver that slices them. */
export const newPassthroughPath = ({
  cloud,
  gpus = [],
  filter,
  to,
  search = {},
}: InCloud & WithSearch & Chosen & { to: 'whole' | 'sliced' }): string =>
  withQuery('/changes/new/passthrough', {
    cloud,
    gpus: gpusText(gpus),
    filter,
    to,
    ...search,
  })

/** The GPU flavors of the own project: the first page of a tenant. `search` holds the page's own parameters. */
export const catalogPath = ({ search = {} }: { search?: Record<string, string> } = {}): string =>
  withQuery('/catalog', search)

/** The servers of all projects that have a GPU. `search` holds the page's own parameters. */
export const gpuServersPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/gpu-servers', { cloud, ...search })

/** The own project's servers with GPUs. */
export const ownServersPath = (): string => '/servers'

/** The page on which a tenant requests more quota. */
export const requestsPath = ({ search = {} }: { search?: Record<string, string> } = {}): string =>
  withQuery('/requests', search)

export const cloudSettingsPath = ({ cloud }: InCloud = {}): string => withQuery('/settings/cloud', { cloud })

export const agentSettingsPath = ({ cloud }: InCloud = {}): string => withQuery('/settings/agents', { cloud })

/** `search` holds the audit's own filter, as its page names it. */
export const auditPath = ({ cloud, search = {} }: InCloud & WithSearch = {}): string =>
  withQuery('/settings/audit', { cloud, ...search })

export const webhookSettingsPath = ({ cloud }: InCloud = {}): string =>
  withQuery('/settings/webhooks', { cloud })

export const sessionSettingsPath = ({ cloud }: InCloud = {}): string =>
  withQuery('/settings/sessions', { cloud })

export const apiTokenSettingsPath = ({ cloud }: InCloud = {}): string =>
  withQuery('/settings/api-tokens', { cloud })

export const apiDescriptionPath = ({ cloud }: InCloud = {}): string => withQuery('/settings/api', { cloud })

/** An address within the console, as `next` of the sign-in carries it; what leads elsewhere becomes the overview. */
export const safeNext = (next: string | null | undefined): string => {
  if (next === null || next === undefined || !/^\/(?![/\\])/.test(next)) return overviewPath()
  // A tab or line break between two slashes counts for nothing, and what follows is a host, or none at all.
  if (!URL.canParse(next, 'http://console.invalid')) return overviewPath()
  const { origin, pathname, search, hash } = new URL(next, 'http://console.invalid')
  // Of `/.//host` the dot goes away, and what is left leads elsewhere.
  const isOwn = origin === 'http://console.invalid' && !/^\/(?:\/|(?:login|api)(?:\/|$))/.test(pathname)
  return isOwn ? `${pathname}${search}${hash}` : overviewPath()
}

/** `next`: where to continue afterwards; `problem`: why an external sign-in failed, `request`: in which request. */
export const loginPath = ({
  next,
  problem,
  request,
}: {
  next?: string | null | undefined
  problem?: string
  request?: string
} = {}): string => {
  const path = safeNext(next)
  return withQuery('/login', { next: path === overviewPath() ? null : path, problem, request })
}

type CapacityQuery = {
  by: string
  key: string | null
  host?: string | null
  address?: string | null
  from: string
  until: string | null
}

type IdleQuery = {
  days: number
  by: string
  key: string | null
  host: string | null
  address: string | null
  until: string | null
}
type RefusedQuery = { from: string; until: string | null; flavor: string | null; project: string | null }

/** Addresses of the browser API; scripts use the same. */
type UsageQuery = {
  by: string
  key: string | null
  host: string | null
  address: string | null
  from: string
  until: string | null
}

/** One page of a list: texts by which it is narrowed and sorted. */
type PageOf<Names extends string> = InCloud & { [name in Names | 'limit']?: string } & {
  [name in 'state' | 'group' | 'for' | 'cursor']?: string | null
}

export const apiPaths = {
  openApi: () => '/api/v1/openapi.json',
  session: (): string => '/api/v1/session',
  sessionScopes: (): string => '/api/v1/session/scopes',
  sessionScope: (): string => '/api/v1/session/scope',
  sessions: ({ which }: { which?: string } = {}): string => withQuery('/api/v1/sessions', { which }),
  sessionById: ({ id }: { id: number }): string => `/api/v1/sessions/${id}`,
  webSso: (search: { cloud?: string; provider?: string; next?: string | null } = {}): string =>
    withQuery('/api/v1/session/websso', search),
  webSsoFinish: (): string => '/api/v1/session/websso/finish',
  apiTokens: (): string => '/api/v1/api-tokens',
  apiToken: ({ id }: { id: number }): string => `/api/v1/api-tokens/${id}`,
  clouds: (): string => '/api/v1/clouds',
  gpus: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/gpus', { cloud }),
  gpu: ({ cloud, host, address }: InCloud & { host: string; address: string }): string =>
    withQuery(`/api/v1/gpus/${segment(host)}/${segment(address)}`, { cloud }),
  gpuSources: ({ cloud, host, address }: InCloud & { host: string; address: string }): string =>
    withQuery(`/api/v1/gpus/${segment(host)}/${segment(address)}/sources`, { cloud }),
  apiAliases: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/api-aliases', { cloud }),
  managedTraits: ({ cloud, host, address }: InCloud & { host?: string; address?: string } = {}): string =>
    withQuery('/api/v1/managed-traits', { cloud, host, address }),
  managedTrait: ({
    cloud,
    host,
    address,
    trait,
  }: InCloud & { host: string; address: string; trait: string }): string =>
    withQuery(`/api/v1/gpus/${segment(host)}/${segment(address)}/managed-traits/${segment(trait)}`, {
      cloud,
    }),
  hosts: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/hosts', { cloud }),
  host: ({ cloud, host }: InCloud & { host: string }): string =>
    withQuery(`/api/v1/hosts/${segment(host)}`, { cloud }),
  hostPci: ({ cloud, host }: InCloud & { host: string }): string =>
    withQuery(`/api/v1/hosts/${segment(host)}/pci`, { cloud }),
  hostReboot: ({ cloud, host }: InCloud & { host: string }): string =>
    withQuery(`/api/v1/hosts/${segment(host)}/reboot`, { cloud }),
  removedHosts: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/removed-hosts', { cloud }),
  restoreHost: ({ id }: { id: number }): string => `/api/v1/removed-hosts/${id}/restore`,
  removalSuggestions: ({ cloud }: InCloud = {}): string =>
    withQuery('/api/v1/removal-suggestions', { cloud }),
  hostMerge: ({ cloud, host, from }: InCloud & { host: string; from?: string }): string =>
    withQuery(`/api/v1/hosts/${segment(host)}/merge`, { cloud, from }),
  gpuHeadroom: (question: PageOf<'host' | 'q' | 'on'> = {}): string =>
    withQuery('/api/v1/gpu-headroom', question),
  migration: ({ cloud, type }: InCloud & { type?: string | null } = {}): string =>
    withQuery('/api/v1/migration', { cloud, type }),
  vgpuActions: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/vgpu-actions', { cloud }),
  hostCells: ({ cloud, host }: InCloud & { host: string }): string =>
    withQuery(`/api/v1/hosts/${segment(host)}/cells`, { cloud }),
  findings: ({
    cloud,
    ...question
  }: InCloud & {
    [name in
      | 'host'
      | 'about'
      | 'q'
      | 'severity'
      | 'state'
      | 'code'
      | 'sourceToCorrect'
      | 'sort'
      | 'limit']?: string
  } & { cursor?: string | null } = {}): string => withQuery('/api/v1/findings', { cloud, ...question }),
  changeCounts: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/change-counts', { cloud }),
  findingMutes: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/finding-mutes', { cloud }),
  findingMute: ({ cloud, code }: InCloud & { code: string }): string =>
    withQuery(`/api/v1/finding-mutes/${segment(code)}`, { cloud }),
  savedViews: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/saved-views', { cloud }),
  savedView: ({ id }: { id: number }): string => `/api/v1/saved-views/${id}`,
  findingCounts: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/finding-counts', { cloud }),
  flavors: (question: PageOf<'q' | 'sort' | 'desc'> = {}): string => withQuery('/api/v1/flavors', question),
  capacity: ({ cloud, points, ...question }: InCloud & CapacityQuery & { points?: number }): string =>
    withQuestion('/api/v1/capacity', { cloud, ...question, points: points?.toString() }),
  capacityExport: ({
    cloud,
    points: _,
    ...question
  }: InCloud & CapacityQuery & { points?: number; compareFrom?: string | null }): string =>
    withQuestion('/api/v1/capacity/export', { cloud, ...question }),
  reviews: ({ cloud, zone }: InCloud & { zone?: string | null } = {}): string =>
    withQuery('/api/v1/reviews', { cloud, zone }),
  reviewPreview: ({
    cloud,
    ...question
  }: InCloud & { period: string; zone: string | null; by: string; key: string }): string =>
    withQuery('/api/v1/reviews/preview', { cloud, ...question }),
  review: ({ id }: { id: number }): string => `/api/v1/reviews/${id}`,
  reviewExport: ({ id, format }: { id: number; format: 'json' | 'csv' }): string =>
    withQuery(`/api/v1/reviews/${id}/export`, { format }),
  capacityMarks: ({
    cloud,
    ...question
  }: InCloud & {
    by: string
    key: string | null
    host: string | null
    address: string | null
    from: string
    until: string | null
  }): string => withQuestion('/api/v1/capacity/marks', { cloud, ...question }),
  capacityWeek: ({
    cloud,
    ...question
  }: InCloud & {
    by: string
    key: string | null
    from: string
    until: string | null
    zone: string
  }): string => withQuestion('/api/v1/capacity/week', { cloud, ...question }),
  utilization: ({ cloud, ...question }: InCloud & UsageQuery): string =>
    withQuestion('/api/v1/utilization', { cloud, ...question }),
  utilizationExport: ({ cloud, ...question }: InCloud & UsageQuery): string =>
    withQuestion('/api/v1/utilization/export', { cloud, ...question }),
  idleVgpus: ({ cloud, days, ...question }: InCloud & IdleQuery): string =>
    withQuestion('/api/v1/idle-vgpus', { cloud, days: String(days), ...question }),
  idleVgpusExport: ({ cloud, days, ...question }: InCloud & IdleQuery): string =>
    withQuestion('/api/v1/idle-vgpus/export', { cloud, days: String(days), ...question }),
  forecast: ({
    cloud,
    ...question
  }: InCloud & { by: string; key: string | null; until: string | null }): string =>
    withQuestion('/api/v1/forecast', { cloud, ...question }),
  refusedDemand: ({ cloud, ...question }: InCloud & RefusedQuery): string =>
    withQuestion('/api/v1/refused-demand', { cloud, ...question }),
  refusedDemandExport: ({ cloud, ...question }: InCloud & RefusedQuery): string =>
    withQuestion('/api/v1/refused-demand/export', { cloud, ...question }),
  catalog: (question: PageOf<'q' | 'sort' | 'desc' | 'memory' | 'ids' | 'watched'> = {}): string =>
    withQuery('/api/v1/catalog', question),
  catalogWatch: ({ flavor }: { flavor: string }): string => `/api/v1/catalog/${segment(flavor)}/watch`,
  gpuServers: (question: PageOf<'q' | 'sort' | 'desc'> = {}): string =>
    withQuery('/api/v1/gpu-servers', question),
  ownServers: (): string => '/api/v1/own-servers',
  ownServer: ({ uuid }: { uuid: string }): string => `/api/v1/own-servers/${segment(uuid)}`,
  serverChoices: ({ flavor }: { flavor: string }): string => withQuery('/api/v1/server-choices', { flavor }),
  quotas: (question: PageOf<'q' | 'classes' | 'projects' | 'gpu' | 'inUse' | 'sort' | 'desc'> = {}): string =>
    withQuery('/api/v1/quotas', question),
  quotaRequests: (question: PageOf<'q'> = {}): string => withQuery('/api/v1/quota-requests', question),
  quotaRequest: ({ id }: { id: number }): string => `/api/v1/quota-requests/${id}`,
  quotaRequestDecision: ({ id }: { id: number }): string => `/api/v1/quota-requests/${id}/decision`,
  ownRequests: (): string => '/api/v1/own-requests',
  ownRequest: ({ number }: { number: number }): string => `/api/v1/own-requests/${number}`,
  limitSetUp: (
    question: PageOf<'q'> & { user?: string | null; domain?: string | null; flavor?: string | null } = {},
  ): string => withQuery('/api/v1/limit-set-up', question),
  quotaDriver: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/quota-driver', { cloud }),
  limitTrials: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/limit-trials', { cloud }),
  flavorOffers: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/flavor-offers', { cloud }),
  flavorFit: ({ flavor, ...question }: PageOf<'q'> & { flavor: string; zone: string | null }): string =>
    withQuery(`/api/v1/flavors/${segment(flavor)}/fit`, question),
  typeFit: ({ type, ...question }: PageOf<'q'> & { type: string }): string =>
    withQuery(`/api/v1/types/${segment(type)}/fit`, question),
  finding: ({ id }: { id: number }): string => `/api/v1/findings/${id}`,
  findingAcknowledgement: ({ id }: { id: number }): string => `/api/v1/findings/${id}/acknowledgement`,
  changes: ({ cloud, ...page }: InCloud & { limit?: string; cursor?: string | null } = {}): string =>
    withQuery('/api/v1/changes', { cloud, ...page }),
  changePreview: (): string => '/api/v1/changes/preview',
  testChoices: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/test-boot-choices', { cloud }),
  change: ({ id }: { id: number }): string => `/api/v1/changes/${id}`,
  changeProgress: ({ id }: { id: number }): string => `/api/v1/changes/${id}/progress`,
  /** `host` empty: the steps on no host. */
  changeSteps: ({ id, ...page }: { id: number; host: string; phase: string } & PageQuery): string =>
    withQuestion(`/api/v1/changes/${id}/steps`, page),
  changeActions: ({ id }: { id: number }): string => `/api/v1/changes/${id}/actions`,
  changeTerms: ({ id }: { id: number }): string => `/api/v1/changes/${id}/terms`,
  changeApproval: ({ id }: { id: number }): string => `/api/v1/changes/${id}/approval`,
  changeStepSkip: ({ id, position }: { id: number; position: number }): string =>
    `/api/v1/changes/${id}/steps/${position}/skip`,
  changeRunbook: ({ id, format }: { id: number; format: 'md' | 'sh' }): string =>
    withQuery(`/api/v1/changes/${id}/runbook`, { format }),
  audit: (search: Record<string, string | null> = {}): string => withQuery('/api/v1/audit', search),
  auditExport: (search: Record<string, string | null> = {}): string =>
    withQuery('/api/v1/audit/export', search),
  auditChain: (): string => '/api/v1/audit/chain',
  cloudReading: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/cloud-reading', { cloud }),
  overview: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/overview', { cloud }),
  onboarding: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/onboarding', { cloud }),
  freshness: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/freshness', { cloud }),
  search: ({ cloud, text }: InCloud & { text: string }): string =>
    withQuery('/api/v1/search', { cloud, q: text }),
  webhooks: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/webhooks', { cloud }),
  webhook: ({ id }: { id: number }): string => `/api/v1/webhooks/${id}`,
  webhookSecret: ({ id }: { id: number }): string => `/api/v1/webhooks/${id}/secret`,
  webhookTest: ({ id }: { id: number }): string => `/api/v1/webhooks/${id}/test`,
  webhookDeliveries: ({ id }: { id: number }): string => `/api/v1/webhooks/${id}/deliveries`,
  webhookDelivery: ({ id, delivery }: { id: number; delivery: number }): string =>
    `/api/v1/webhooks/${id}/deliveries/${delivery}`,
  webhookSendAgain: ({ id, delivery }: { id: number; delivery: number }): string =>
    `/api/v1/webhooks/${id}/deliveries/${delivery}/again`,
  agents: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/agents', { cloud }),
  agent: ({ credentialId }: { credentialId: number }): string => `/api/v1/agents/${credentialId}`,
  joinTokens: (): string => '/api/v1/join-tokens',
  enrollmentDecision: ({ id }: { id: number }): string => `/api/v1/enrollment-requests/${id}/decision`,
  joinToken: ({ id }: { id: number }): string => `/api/v1/join-tokens/${id}`,
}
