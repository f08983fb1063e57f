import { changeDetailSchema, changePlanSchema, changeProgressSchema } from '@/lib/schemas/api/change'
import { changeCountsSchema } from '@/lib/schemas/api/change-counts'
import {
  actOnChangeSchema,
  approveChangeSchema,
  changeParamsSchema,
  changeStepParamsSchema,
  changeTermsSchema,
  planChangeSchema,
  runbookParamsSchema,
  skipStepSchema,
} from '@/lib/schemas/api/change-inputs'
import { changeListSchema } from '@/lib/schemas/api/change-list'
import { changeStepsSchema } from '@/lib/schemas/api/change-steps'
import { managedTraitListSchema } from '@/lib/schemas/api/managed-trait'
import { managedTraitParamsSchema, managedTraitScopeSchema } from '@/lib/schemas/api/managed-trait-inputs'
import { changeScopeSchema, changeStepScopeSchema, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { testChoicesSchema } from '@/lib/schemas/api/test-choices'
import type { Area } from './operation'

export const CHANGE_AREA: Area = {
  title: 'Changes',
  about: 'Guided changes: plan, review, run, undo',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/changes',
      summary: 'Saved changes',
      may: 'fleet.read',
      query: changeScopeSchema,
      answer: changeListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/change-counts',
      summary: 'Number of running and stopped changes',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: changeCountsSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/changes/preview',
      summary: 'Create a plan without saving it',
      may: 'fleet.read',
      body: planChangeSchema,
      answer: changePlanSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/changes',
      summary: 'Save a plan',
      may: 'change.plan',
      body: planChangeSchema,
      answer: changeDetailSchema,
      status: 201,
    },
    {
      method: 'GET',
      path: '/api/v1/changes/{id}',
      summary: 'One change; with its steps, if it has at most 100',
      may: 'fleet.read',
      params: changeParamsSchema,
      answer: changeDetailSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/changes/{id}/progress',
      summary: 'The status of one change, without its plan',
      may: 'fleet.read',
      params: changeParamsSchema,
      answer: changeProgressSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/changes/{id}/steps',
      summary: 'The steps of one change, or those on one host or in one phase',
      may: 'fleet.read',
      params: changeParamsSchema,
      query: changeStepScopeSchema,
      answer: changeStepsSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/changes/{id}/actions',
      summary: 'Start, stop, continue or roll back',
      may: 'change.run',
      params: changeParamsSchema,
      body: actOnChangeSchema,
      answer: changeDetailSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/changes/{id}/approval',
      summary: 'Approve a change of another person',
      may: 'change.approve',
      params: changeParamsSchema,
      body: approveChangeSchema,
      answer: changeDetailSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/changes/{id}/terms',
      summary: 'Set approval, window and batch',
      may: 'change.plan',
      params: changeParamsSchema,
      body: changeTermsSchema,
      answer: changeDetailSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/changes/{id}/steps/{position}/skip',
      summary: 'Skip a step with a reason',
      may: 'change.run',
      params: changeStepParamsSchema,
      body: skipStepSchema,
      answer: changeDetailSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/changes/{id}/runbook',
      summary: 'The change as a runbook in Markdown or shell',
      may: 'fleet.read',
      params: changeParamsSchema,
      query: runbookParamsSchema,
      answer: 'text',
    },
    {
      method: 'GET',
      path: '/api/v1/test-boot-choices',
      summary: 'Images, networks and projects for a test boot',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: testChoicesSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/managed-traits',
      summary: 'Managed traits, which are restored when Nova recreates a provider',
      may: 'fleet.read',
      query: managedTraitScopeSchema,
      answer: managedTraitListSchema,
    },
    {
      method: 'DELETE',
      path: '/api/v1/gpus/{host}/{address}/managed-traits/{trait}',
      summary: 'Stop managing a trait',
      may: 'kept-trait.end',
      params: managedTraitParamsSchema,
      query: cloudScopeSchema,
      answer: null,
    },
  ],
}
