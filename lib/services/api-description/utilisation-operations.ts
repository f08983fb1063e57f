import { idleVgpusSchema, utilisationSchema } from '@/lib/schemas/api/utilisation'
import { idleVgpusScopeSchema, utilisationScopeSchema } from '@/lib/schemas/api/utilisation-inputs'
import type { Area } from './operation'

export const UTILISATION_AREA: Area = {
  title: 'Utilisation',
  about: 'What nvidia-smi says of each pGPU and vGPU, over time',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/utilisation',
      summary: 'Utilisation and framebuffer over time: of the fleet, its groups, a host, its pGPUs or vGPUs',
      may: 'fleet.read',
      query: utilisationScopeSchema,
      answer: utilisationSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/utilisation/export',
      summary: 'The same as CSV, a row for each point',
      may: 'fleet.read',
      query: utilisationScopeSchema,
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
      summary: 'The idle ones as CSV',
      may: 'fleet.read',
      query: idleVgpusScopeSchema,
      answer: 'text',
    },
  ],
}
