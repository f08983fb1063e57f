import {
  hostMergePreviewSchema,
  removalSuggestionsSchema,
  removedHostListSchema,
} from '@/lib/schemas/api/host-removal'
import {
  mergeHostSchema,
  mergePreviewQuerySchema,
  removedHostParamsSchema,
  removeHostsSchema,
  restoreHostSchema,
} from '@/lib/schemas/api/host-removal-inputs'
import { cloudScopeSchema, hostParamsSchema } from '@/lib/schemas/api/scope'
import type { Area } from './operation'

export const HOST_REMOVAL_AREA: Area = {
  title: 'Removed and merged hosts',
  about: 'Hosts that no longer exist or have a new name',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/removal-suggestions',
      summary: 'Hosts that are silent for 30 days or whose GPUs another host reports',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: removalSuggestionsSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/removed-hosts',
      summary: 'Removed hosts: when, by whom and why',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: removedHostListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/removed-hosts',
      summary: 'Remove hosts; their history stays, their credentials are revoked',
      may: 'host.remove',
      query: cloudScopeSchema,
      body: removeHostsSchema,
      answer: removedHostListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/removed-hosts/{id}/restore',
      summary: 'Restore a removed host as it was last seen',
      may: 'host.remove',
      params: removedHostParamsSchema,
      body: restoreHostSchema,
      answer: null,
    },
    {
      method: 'GET',
      path: '/api/v1/hosts/{host}/merge',
      summary: 'Preview a merge: what moves, and why it is refused',
      may: 'fleet.read',
      params: hostParamsSchema,
      query: mergePreviewQuerySchema,
      answer: hostMergePreviewSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/hosts/{host}/merge',
      summary:
        'Merge a renamed or reinstalled host: it continues the history of another one, which is removed',
      may: 'host.remove',
      params: hostParamsSchema,
      query: cloudScopeSchema,
      body: mergeHostSchema,
      answer: hostMergePreviewSchema,
    },
  ],
}
