import {
  createSavedViewSchema,
  savedViewListSchema,
  savedViewParamsSchema,
  savedViewSchema,
  updateSavedViewSchema,
} from '@/lib/schemas/api/saved-view'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import type { Area } from './operation'

export const SAVED_VIEW_AREA: Area = {
  title: 'Saved views',
  about: 'Saved filters, grouping, sorting and columns of the list of GPUs, own and shared.',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/saved-views',
      summary: 'Own views and shared ones',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: savedViewListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/saved-views',
      summary: 'Save a view; sharing it requires the role admin',
      may: 'view.save',
      body: createSavedViewSchema,
      answer: savedViewSchema,
      status: 201,
    },
    {
      method: 'PUT',
      path: '/api/v1/saved-views/{id}',
      summary: 'Change an own view; an admin also a shared one',
      may: 'view.save',
      params: savedViewParamsSchema,
      body: updateSavedViewSchema,
      answer: savedViewSchema,
    },
    {
      method: 'DELETE',
      path: '/api/v1/saved-views/{id}',
      summary: 'Delete an own view; an admin also a shared one',
      may: 'view.save',
      params: savedViewParamsSchema,
      answer: null,
    },
  ],
}
