import { priceListSchema } from '@/lib/schemas/api/price'
import { addPriceSchema } from '@/lib/schemas/api/price-inputs'
import { scenarioListSchema, scenarioSchema } from '@/lib/schemas/api/scenario'
import {
  createScenarioSchema,
  saveScenarioSchema,
  scenarioInputSchema,
  scenarioParamsSchema,
} from '@/lib/schemas/api/scenario-inputs'
import { scenarioResultSchema } from '@/lib/schemas/api/scenario-result'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import type { Area } from './operation'

export const PLANNING_AREA: Area = {
  title: 'Planning',
  about: 'Prices of cards and vGPU types, and scenarios',
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
    {
      method: 'POST',
      path: '/api/v1/scenario-results',
      summary: 'Capacity, fit, forecast and value after steps; nothing is written',
      may: 'fleet.read',
      body: scenarioInputSchema,
      answer: scenarioResultSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/scenarios',
      summary: 'Saved scenarios of a cloud',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: scenarioListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/scenarios',
      summary: 'Save a new scenario',
      may: 'scenario.save',
      body: createScenarioSchema,
      answer: scenarioSchema,
      status: 201,
    },
    {
      method: 'GET',
      path: '/api/v1/scenarios/{id}',
      summary: 'A saved scenario with its steps',
      may: 'fleet.read',
      params: scenarioParamsSchema,
      answer: scenarioSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/scenarios/{id}',
      summary: 'Change a scenario; refused if it was saved in the meantime',
      may: 'scenario.save',
      params: scenarioParamsSchema,
      body: saveScenarioSchema,
      answer: scenarioSchema,
    },
    {
      method: 'DELETE',
      path: '/api/v1/scenarios/{id}',
      summary: 'Delete a scenario',
      may: 'scenario.save',
      params: scenarioParamsSchema,
      answer: null,
    },
  ],
}
