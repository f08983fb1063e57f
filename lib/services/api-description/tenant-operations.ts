import { catalogSchema, catalogWatchParamsSchema, ownServerListSchema } from '@/lib/schemas/api/catalog'
import { ownRequestListSchema, ownRequestSchema } from '@/lib/schemas/api/quota-request'
import { makeRequestSchema, ownRequestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import type { Area } from './operation'

export const TENANT_AREA: Area = {
  title: 'Tenant',
  about: 'Of the project that the sign-in or token is for, and of nothing else',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/catalog',
      summary: 'GPU flavors that the project could start',
      may: 'catalog.read',
      answer: catalogSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/catalog/{flavor}/watch',
      summary: 'Be told when a flavor can start again',
      may: 'catalog.watch',
      params: catalogWatchParamsSchema,
      answer: null,
    },
    {
      method: 'DELETE',
      path: '/api/v1/catalog/{flavor}/watch',
      summary: 'Be told no longer',
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
      method: 'GET',
      path: '/api/v1/own-requests',
      summary: 'The project’s requests for more quota',
      may: 'quota-request.list-own',
      answer: ownRequestListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/own-requests',
      summary: 'Ask for more quota',
      may: 'quota-request.make',
      body: makeRequestSchema,
      answer: ownRequestSchema,
      status: 201,
    },
    {
      method: 'DELETE',
      path: '/api/v1/own-requests/{number}',
      summary: 'Take a request back',
      may: 'quota-request.make',
      params: ownRequestParamsSchema,
      answer: ownRequestSchema,
    },
  ],
}
