import { flavorFitSchema, flavorListSchema, typeFitSchema } from '@/lib/schemas/api/flavor'
import { flavorOffersSchema } from '@/lib/schemas/api/flavor-offer'
import { refusedDemandSchema } from '@/lib/schemas/api/refused-demand'
import { refusedDemandScopeSchema } from '@/lib/schemas/api/refused-demand-inputs'
import {
  cloudScopeSchema,
  flavorFitQuerySchema,
  flavorListScopeSchema,
  flavorParamsSchema,
  typeFitQuerySchema,
  typeParamsSchema,
} from '@/lib/schemas/api/scope'
import type { Area } from './operation'

export const FLAVOR_AREA: Area = {
  title: 'Flavors',
  about: 'Requests of GPU flavors, and where they fit',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/flavors',
      summary: 'GPU flavors with their requests and the number that fits, page by page',
      may: 'fleet.read',
      query: flavorListScopeSchema,
      answer: flavorListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/flavors/{flavor}/fit',
      summary: 'Why a flavor can or cannot be scheduled, host by host',
      may: 'fleet.read',
      params: flavorParamsSchema,
      query: flavorFitQuerySchema,
      answer: flavorFitSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/types/{type}/fit',
      summary: 'How many vGPUs of a type fit, host by host',
      may: 'fleet.read',
      params: typeParamsSchema,
      query: typeFitQuerySchema,
      answer: typeFitSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/flavor-offers',
      summary: 'Options for a new flavor',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: flavorOffersSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/refused-demand',
      summary: 'Servers with a GPU that were not scheduled, over time and by flavor, project and reason',
      may: 'fleet.read',
      query: refusedDemandScopeSchema,
      answer: refusedDemandSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/refused-demand/export',
      summary: 'The same as CSV',
      may: 'fleet.read',
      query: refusedDemandScopeSchema,
      answer: 'text',
    },
  ],
}
