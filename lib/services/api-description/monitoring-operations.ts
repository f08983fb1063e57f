import { metricsQuerySchema } from '@/lib/schemas/api/metrics'
import * as z from '@/lib/schemas/mini'
import type { Area } from './operation'

export const MONITORING_AREA: Area = {
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
