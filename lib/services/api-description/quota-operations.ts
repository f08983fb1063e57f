import { limitSetUpSchema } from '@/lib/schemas/api/limit-set-up'
import { limitTrialSchema } from '@/lib/schemas/api/limit-trial'
import { tryLimitSchema } from '@/lib/schemas/api/limit-trial-inputs'
import { quotaListSchema } from '@/lib/schemas/api/quota'
import { quotaDriverStatusSchema } from '@/lib/schemas/api/quota-driver'
import { enterDriverSchema } from '@/lib/schemas/api/quota-driver-inputs'
import { quotaScopeSchema } from '@/lib/schemas/api/quota-inputs'
import { requestDetailSchema, requestListSchema } from '@/lib/schemas/api/quota-request'
import { decideRequestSchema, requestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import { cloudScopeSchema, limitSetUpScopeSchema, requestListScopeSchema } from '@/lib/schemas/api/scope'
import type { Area } from './operation'

export const QUOTA_AREA: Area = {
  title: 'Quotas',
  about: 'Limits of projects and the setup of unified limits',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/quotas',
      summary: 'Limits, use and share of capacity by class and project',
      may: 'fleet.read',
      query: quotaScopeSchema,
      answer: quotaListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/limit-set-up',
      summary: 'State of the setup of unified limits, and what is missing',
      may: 'fleet.read',
      query: limitSetUpScopeSchema,
      answer: limitSetUpSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/quota-driver',
      summary: 'Quota driver of Nova’s API, as reported by agents or answered by an admin',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: quotaDriverStatusSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/quota-driver',
      summary: 'Answer which quota driver Nova’s API uses if no agent reports it',
      may: 'quota-driver.set',
      query: cloudScopeSchema,
      body: enterDriverSchema,
      answer: null,
    },
    {
      method: 'DELETE',
      path: '/api/v1/quota-driver',
      summary: 'Withdraw the answer on the quota driver',
      may: 'quota-driver.set',
      query: cloudScopeSchema,
      answer: null,
    },
    {
      method: 'POST',
      path: '/api/v1/limit-trials',
      summary: 'Test the quota check for the next server of a project',
      may: 'change.run',
      query: cloudScopeSchema,
      body: tryLimitSchema,
      answer: limitTrialSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/quota-requests',
      summary: 'Requests of all projects, page by page',
      may: 'fleet.read',
      query: requestListScopeSchema,
      answer: requestListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/quota-requests/{id}',
      summary: 'One request with its effect',
      may: 'fleet.read',
      params: requestParamsSchema,
      answer: requestDetailSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/quota-requests/{id}/decision',
      summary: 'Approve or decline a request',
      may: 'quota-request.decide',
      params: requestParamsSchema,
      body: decideRequestSchema,
      answer: requestDetailSchema,
    },
  ],
}
