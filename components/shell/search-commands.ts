import { NEW_CHANGE_KINDS } from '@/components/change/new-change-kinds'
import { type Action, isAllowed } from '@/lib/domain/access/permissions'
import type { Role } from '@/lib/schemas/roles'
import { helpPath } from '@/lib/util/help-paths'
import {
  agentSettingsPath,
  apiDescriptionPath,
  apiTokenSettingsPath,
  auditPath,
  capacityPath,
  changesPath,
  cloudSettingsPath,
  findingsPath,
  flavorsPath,
  gpuHeadroomPath,
  gpuServersPath,
  gpusPath,
  hostsPath,
  migrationPath,
  overviewPath,
  quotaRequestsPath,
  quotasPath,
  removedHostsPath,
  reviewsPath,
  sessionSettingsPath,
  vgpuActionsPath,
  webhookSettingsPath,
} from '@/lib/util/paths'
import { priceSettingsPath, scenariosPath } from '@/lib/util/planning-paths'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'

type Cloud = string | null

/** A page, or what begins on one. `words`: further ones that find it. */
export type SearchCommand = {
  group: 'Actions' | 'Pages' | 'Settings'
  name: string
  words: string
  needs: Action
  path: (cloud: Cloud) => string
}

type Path = (input: { cloud: Cloud }) => string

const page = (name: string, path: Path, words = '', needs: Action = 'fleet.read'): SearchCommand => ({
  group: 'Pages',
  name,
  words,
  needs,
  path: (cloud) => path({ cloud }),
})

const setting = (name: string, path: Path, needs: Action, words = ''): SearchCommand => ({
  ...page(name, path, `settings ${words}`, needs),
  group: 'Settings',
})

const action = (name: string, path: Path, needs: Action, words = ''): SearchCommand => ({
  ...page(name, path, words, needs),
  group: 'Actions',
})

const COMMANDS: readonly SearchCommand[] = [
  ...NEW_CHANGE_KINDS.map(
    ({ label, path }): SearchCommand => ({
      group: 'Actions',
      name: label,
      words: 'new change create plan',
      needs: 'change.plan',
      path,
    }),
  ),
  action('Add host', agentSettingsPath, 'join-token.create', 'create join token agent install enroll'),
  action('Create webhook', webhookSettingsPath, 'webhook.change', 'add notification'),
  action('Create API token', apiTokenSettingsPath, 'api-token.create', 'add script'),
  action('Create review', reviewsPath, 'review.make', 'month quarter report'),
  page('Overview', overviewPath, 'home start'),
  page('Findings', findingsPath, 'problems alerts'),
  page('Changes', changesPath, 'plans runs'),
  page('GPUs', gpusPath, 'cards pgpu'),
  page('Hosts', hostsPath, 'compute nodes'),
  page('Live migration', migrationPath, 'move servers'),
  page('Headroom for GPU servers', gpuHeadroomPath, 'cpu memory reservation'),
  page('vGPU support', vgpuActionsPath, 'nova release actions'),
  page('Removed hosts', removedHostsPath, 'restore'),
  page('Servers', gpuServersPath, 'instances'),
  page('Capacity', capacityPath, 'usage history trend'),
  page('Forecast', ({ cloud }) => capacityPath({ cloud, search: { tab: 'forecast' } }), 'capacity full'),
  page('Reviews', reviewsPath, 'month quarter report'),
  page('Scenarios', scenariosPath, 'what if planner'),
  page('Flavors', flavorsPath),
  page('Quotas', quotasPath, 'limits projects'),
  page('Quota requests', quotaRequestsPath),
  page('Documentation', helpPath, 'help docs manual', 'quota-request.list-own'),
  setting('Agents', agentSettingsPath, 'agent.list', 'join tokens enrollment'),
  setting('Cloud', cloudSettingsPath, 'fleet.read', 'openstack aliases'),
  setting('Prices', priceSettingsPath, 'fleet.read', 'costs'),
  setting('Webhooks', webhookSettingsPath, 'webhook.list', 'slack'),
  setting('Audit', auditPath, 'audit.read', 'log history'),
  setting('Sessions', sessionSettingsPath, 'session.list', 'sign out'),
  setting('API tokens', apiTokenSettingsPath, 'api-token.list'),
  setting('API', apiDescriptionPath, 'quota-request.list-own', 'openapi rest'),
]

/** The commands that a role may use and that a text names; all of them for an empty text. */
export const findCommands = (text: string, role: Role): SearchCommand[] => {
  const terms = searchTerms(text)
  return COMMANDS.filter(
    ({ name, words, group, needs }) =>
      isAllowed({ roles: [role], action: needs }) && hasTerms(`${name} ${words} ${group}`, terms),
  )
}
