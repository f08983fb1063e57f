import * as z from 'zod/mini'
import { catalogSchema, catalogWatchParamsSchema, ownServerListSchema } from '@/lib/schemas/api/catalog'
import { catalogScopeSchema } from '@/lib/schemas/api/catalog-inputs'
import {
  createdServerSchema,
  newServerStatusSchema,
  serverChoicesSchema,
} from '@/lib/schemas/api/create-server'
import {
  createServerSchema,
  ownServerParamsSchema,
  serverChoicesScopeSchema,
} from '@/lib/schemas/api/create-server-inputs'
import { findingDetailSchema, findingListSchema } from '@/lib/schemas/api/finding'
import { findingCountsSchema } from '@/lib/schemas/api/finding-counts'
import {
  acknowledgeFindingSchema,
  findingMuteParamsSchema,
  findingParamsSchema,
} from '@/lib/schemas/api/finding-inputs'
import { findingMuteListSchema } from '@/lib/schemas/api/finding-mute'
import { metricsQuerySchema } from '@/lib/schemas/api/metrics'
import { ownRequestListSchema, ownRequestSchema } from '@/lib/schemas/api/quota-request'
import { makeRequestSchema, ownRequestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import { reviewListSchema, reviewSchema } from '@/lib/schemas/api/review'
import {
  makeReviewSchema,
  reviewExportSchema,
  reviewListScopeSchema,
  reviewParamsSchema,
  reviewScopeSchema,
} from '@/lib/schemas/api/review-inputs'
import { cloudScopeSchema, findingScopeSchema } from '@/lib/schemas/api/scope'
import { idleVgpusSchema, utilizationSchema } from '@/lib/schemas/api/utilization'
import { idleVgpusScopeSchema, utilizationScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { ACCOUNT_AREA } from './account-operations'
import { CHANGE_AREA } from './change-operations'
import { FLAVOR_AREA } from './flavor-operations'
import { FLEET_AREA } from './fleet-operations'
import { HOST_REMOVAL_AREA } from './host-removal-operations'
import type { Area } from './operation'
import { PLANNING_AREA } from './planning-operations'
import { QUOTA_AREA } from './quota-operations'
import { SAVED_VIEW_AREA } from './saved-view-operations'
import { WEBHOOK_AREA } from './webhook-operations'

const TENANT_AREA: Area = {
  title: 'Tenant',
  about: 'Only of the project of the sign-in or token',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/catalog',
      summary: 'GPU flavors that the project could start',
      may: 'catalog.read',
      query: catalogScopeSchema,
      answer: catalogSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/catalog/{flavor}/watch',
      summary: 'Subscribe to a flavor: get a notification when it is available again',
      may: 'catalog.watch',
      params: catalogWatchParamsSchema,
      answer: null,
    },
    {
      method: 'DELETE',
      path: '/api/v1/catalog/{flavor}/watch',
      summary: 'Unsubscribe from a flavor',
      may: 'catalog.watch',
      params: catalogWatchParamsSchema,
      answer: null,
    },
    {
      method: 'GET',
      path: '/api/v1/own-servers',
      summary: 'The project’s GPU servers',
      may: 'catalog.read',
      answer: ownServerListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/own-servers',
      summary: 'Create a GPU server through Nova; a repeated key creates no second server',
      may: 'server.create',
      body: createServerSchema,
      answer: createdServerSchema,
      status: 201,
    },
    {
      method: 'GET',
      path: '/api/v1/own-servers/{uuid}',
      summary: 'The current status of one server of the project, as Nova reports it',
      may: 'server.choose',
      params: ownServerParamsSchema,
      answer: newServerStatusSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/server-choices',
      summary: 'Images, networks, key pairs, security groups and quota for a new server',
      may: 'server.choose',
      query: serverChoicesScopeSchema,
      answer: serverChoicesSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/own-requests',
      summary: 'The project’s requests for more quota',
      may: 'quota-request.list-own',
      answer: ownRequestListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/own-requests',
      summary: 'Request quota',
      may: 'quota-request.make',
      body: makeRequestSchema,
      answer: ownRequestSchema,
      status: 201,
    },
    {
      method: 'DELETE',
      path: '/api/v1/own-requests/{number}',
      summary: 'Withdraw a request',
      may: 'quota-request.make',
      params: ownRequestParamsSchema,
      answer: ownRequestSchema,
    },
  ],
}

const FINDING_AREA: Area = {
  title: 'Findings',
  about: 'Disagreements and risks, with evidence and next step',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/findings',
      summary: 'Open findings and recently closed findings',
      may: 'fleet.read',
      query: findingScopeSchema,
      answer: findingListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/finding-counts',
      summary: 'Open findings by severity',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: findingCountsSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/findings/{id}',
      summary: 'One finding with its evidence and history',
      may: 'fleet.read',
      params: findingParamsSchema,
      answer: findingDetailSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/findings/{id}/acknowledgement',
      summary: 'Acknowledge a finding with a note, optionally until a date',
      may: 'finding.acknowledge',
      params: findingParamsSchema,
      body: acknowledgeFindingSchema,
      answer: findingDetailSchema,
    },
    {
      method: 'DELETE',
      path: '/api/v1/findings/{id}/acknowledgement',
      summary: 'End an acknowledgement',
      may: 'finding.acknowledge',
      params: findingParamsSchema,
      answer: findingDetailSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/finding-mutes',
      summary: 'Muted kinds of findings',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: findingMuteListSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/finding-mutes/{code}',
      summary: 'Mute a kind of finding with a note until a date',
      may: 'finding.acknowledge',
      params: findingMuteParamsSchema,
      query: cloudScopeSchema,
      body: acknowledgeFindingSchema,
      answer: findingMuteListSchema,
    },
    {
      method: 'DELETE',
      path: '/api/v1/finding-mutes/{code}',
      summary: 'Unmute a kind of finding',
      may: 'finding.acknowledge',
      params: findingMuteParamsSchema,
      query: cloudScopeSchema,
      answer: findingMuteListSchema,
    },
  ],
}

const REVIEW_AREA: Area = {
  title: 'Reviews',
  about: 'Final numbers of closed months and quarters',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/reviews',
      summary: 'Months and quarters with their frozen reviews',
      may: 'fleet.read',
      query: reviewListScopeSchema,
      answer: reviewListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/reviews',
      summary: 'Freeze the review of a period; repeated calls return the same review',
      may: 'review.make',
      body: makeReviewSchema,
      answer: reviewSchema,
      status: 201,
    },
    {
      method: 'GET',
      path: '/api/v1/reviews/preview',
      summary: 'Preview of the review of a period',
      may: 'fleet.read',
      query: reviewScopeSchema,
      answer: reviewSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/reviews/{id}',
      summary: 'A frozen review',
      may: 'fleet.read',
      params: reviewParamsSchema,
      answer: reviewSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/reviews/{id}/export',
      summary: 'The same as CSV, or as JSON with the bytes that its fingerprint is of',
      may: 'fleet.read',
      params: reviewParamsSchema,
      query: reviewExportSchema,
      answer: 'text',
    },
  ],
}

const UTILIZATION_AREA: Area = {
  title: 'Utilization',
  about: 'Utilization of each pGPU and vGPU by nvidia-smi, over time',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/utilization',
      summary: 'Utilization and framebuffer over time: of the fleet, its groups, a host, its pGPUs or vGPUs',
      may: 'fleet.read',
      query: utilizationScopeSchema,
      answer: utilizationSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/utilization/export',
      summary: 'The same as CSV, a row for each point',
      may: 'fleet.read',
      query: utilizationScopeSchema,
      answer: 'text',
    },
    {
      method: 'GET',
      path: '/api/v1/idle-vgpus',
      summary: 'vGPUs that servers hold and do not use, with their owners',
      may: 'fleet.read',
      query: idleVgpusScopeSchema,
      answer: idleVgpusSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/idle-vgpus/export',
      summary: 'Idle vGPUs as CSV',
      may: 'fleet.read',
      query: idleVgpusScopeSchema,
      answer: 'text',
    },
  ],
}

const MONITORING_AREA: Area = {
  title: 'Monitoring',
  about: 'For load balancers and Prometheus',
  operations: [
    {
      method: 'GET',
      path: '/api/health',
      summary: 'Whether the console and its database answer',
      may: 'anyone',
      answer: z.object({ status: z.literal('ok') }),
    },
    {
      method: 'GET',
      path: '/api/metrics',
      summary: 'The fleet and the console’s own health in Prometheus’s text format',
      may: 'fleet.read',
      query: metricsQuerySchema,
      answer: 'text',
    },
  ],
}

/** All that the API offers to browsers and scripts, in the order of the console's rooms. */
export const API_AREAS: readonly Area[] = [
  FLEET_AREA,
  SAVED_VIEW_AREA,
  HOST_REMOVAL_AREA,
  UTILIZATION_AREA,
  PLANNING_AREA,
  REVIEW_AREA,
  FINDING_AREA,
  CHANGE_AREA,
  FLAVOR_AREA,
  QUOTA_AREA,
  ACCOUNT_AREA,
  TENANT_AREA,
  MONITORING_AREA,
  WEBHOOK_AREA,
]
