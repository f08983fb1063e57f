import { priceListSchema } from '@/lib/schemas/api/price'
import { addPriceSchema } from '@/lib/schemas/api/price-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import type { Area } from './operation'

export const PLANNING_AREA: Area = {
  title: 'Planning',
  about: 'Prices of cards and vGPU types',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/prices',
      summary: 'All versions of the price list, and the cards that prices can be set for',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: priceListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/prices',
      summary: 'Add a version of a price per hour; earlier versions are unchanged',
      may: 'price.add',
      body: addPriceSchema,
      answer: priceListSchema,
      status: 201,
    },
  ],
}
