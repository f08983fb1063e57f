import { findingDetailSchema, findingListSchema } from '@/lib/schemas/api/finding'
import { findingCountsSchema } from '@/lib/schemas/api/finding-counts'
import { acknowledgeFindingSchema, findingParamsSchema } from '@/lib/schemas/api/finding-inputs'
import { cloudScopeSchema, findingScopeSchema } from '@/lib/schemas/api/scope'
import type { Area } from './operation'

export const FINDING_AREA: Area = {
  title: 'Findings',
  about: 'Disagreements and risks, with evidence and next step',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/findings',
      summary: 'Findings that are open, and those closed lately',
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
      summary: 'Acknowledge a finding with a note, until a day if wanted',
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
  ],
}
