import { apiAliasListSchema } from '@/lib/schemas/api/api-alias'
import { enterAliasesSchema } from '@/lib/schemas/api/api-alias-inputs'
import { capacitySchema } from '@/lib/schemas/api/capacity'
import {
  capacityExportScopeSchema,
  capacityMarksScopeSchema,
  capacityScopeSchema,
  capacityWeekScopeSchema,
} from '@/lib/schemas/api/capacity-inputs'
import { capacityMarksSchema } from '@/lib/schemas/api/capacity-marks'
import { capacityWeekSchema } from '@/lib/schemas/api/capacity-week'
import { cloudListSchema } from '@/lib/schemas/api/cloud-list'
import { cloudReadingSchema } from '@/lib/schemas/api/cloud-reading'
import { freshnessSchema, overviewSchema } from '@/lib/schemas/api/fleet'
import { forecastSchema } from '@/lib/schemas/api/forecast'
import { forecastScopeSchema } from '@/lib/schemas/api/forecast-inputs'
import { gpuDetailSchema, hostCellsSchema } from '@/lib/schemas/api/gpu'
import { gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import { gpuHeadroomListSchema } from '@/lib/schemas/api/gpu-headroom'
import { gpuServerListSchema } from '@/lib/schemas/api/gpu-server'
import { hostDetailSchema, hostListSchema } from '@/lib/schemas/api/host'
import { hostPciSchema } from '@/lib/schemas/api/host-pci'
import { migrationSchema } from '@/lib/schemas/api/migration'
import { onboardingSchema } from '@/lib/schemas/api/onboarding'
import { hostRebootSchema } from '@/lib/schemas/api/reboot'
import {
  cloudScopeSchema,
  gpuHeadroomScopeSchema,
  gpuParamsSchema,
  gpuServerListScopeSchema,
  hostParamsSchema,
  migrationScopeSchema,
} from '@/lib/schemas/api/scope'
import { searchQuerySchema } from '@/lib/schemas/api/search'
import { searchResultsSchema } from '@/lib/schemas/api/search-results'
import { gpuSourcesSchema } from '@/lib/schemas/api/sources'
import { vgpuActionsSchema } from '@/lib/schemas/api/vgpu-action'
import type { Area } from './operation'

export const FLEET_AREA: Area = {
  title: 'Fleet',
  about: 'Values of hosts, Nova, Placement and Keystone for each pGPU',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/clouds',
      summary: 'The clouds that you see',
      may: 'fleet.read',
      answer: cloudListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/overview',
      summary: 'Totals by model and type, and what needs attention',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: overviewSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/onboarding',
      summary: 'Steps of the set-up that are done',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: onboardingSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/gpus',
      summary: 'All pGPUs with their numbers, as columns; an unchanged answer costs a 304',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: gpuColumnsSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/gpus/{host}/{address}',
      summary: 'One pGPU: identity, types, mdevs, guests and raw facts',
      may: 'fleet.read',
      params: gpuParamsSchema,
      query: cloudScopeSchema,
      answer: gpuDetailSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/gpus/{host}/{address}/sources',
      summary: 'Values of hardware, nova.conf, Placement and libvirt for one pGPU',
      may: 'fleet.read',
      params: gpuParamsSchema,
      query: cloudScopeSchema,
      answer: gpuSourcesSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/hosts',
      summary: 'All hosts with their agents',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: hostListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/hosts/{host}',
      summary: 'One host: pGPUs by NUMA node, guests, problems, options of nova.conf',
      may: 'fleet.read',
      params: hostParamsSchema,
      query: cloudScopeSchema,
      answer: hostDetailSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/hosts/{host}/cells',
      summary: 'Each vGPU of a host’s pGPUs with its guest, server, project and flavor',
      may: 'fleet.read',
      params: hostParamsSchema,
      query: cloudScopeSchema,
      answer: hostCellsSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/hosts/{host}/pci',
      summary: 'Whole cards of a host: IOMMU groups, drivers, device_spec and alias',
      may: 'fleet.read',
      params: hostParamsSchema,
      query: cloudScopeSchema,
      answer: hostPciSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/hosts/{host}/reboot',
      summary: 'Servers that would not start after a reboot of a host',
      may: 'fleet.read',
      params: hostParamsSchema,
      query: cloudScopeSchema,
      answer: hostRebootSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/gpu-headroom',
      summary: 'Headroom for GPU servers on each host: CPUs, memory and disk for its free GPUs',
      may: 'fleet.read',
      query: gpuHeadroomScopeSchema,
      answer: gpuHeadroomListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/gpu-servers',
      summary: 'Servers with a vGPU or a GPU in passthrough, page by page; at most 500 on a page',
      may: 'fleet.read',
      query: gpuServerListScopeSchema,
      answer: gpuServerListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/migration',
      summary: 'Live-migration matrix of the hosts of one vGPU type',
      may: 'fleet.read',
      query: migrationScopeSchema,
      answer: migrationSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/vgpu-actions',
      summary: "Supported actions with vGPUs on the cloud's release of Nova, with sources",
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: vgpuActionsSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/capacity',
      summary: 'Capacity and use over time: of the fleet, its groups, a host or a pGPU',
      may: 'fleet.read',
      query: capacityScopeSchema,
      answer: capacitySchema,
    },
    {
      method: 'GET',
      path: '/api/v1/capacity/export',
      summary: 'The same as CSV, a row for each point',
      may: 'fleet.read',
      query: capacityExportScopeSchema,
      answer: 'text',
    },
    {
      method: 'GET',
      path: '/api/v1/capacity/week',
      summary: 'vGPUs used in each hour of the week, in a time zone',
      may: 'fleet.read',
      query: capacityWeekScopeSchema,
      answer: capacityWeekSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/capacity/marks',
      summary: 'Changes, silent hosts and findings that mark the time axis, of the cloud or a part of it',
      may: 'fleet.read',
      query: capacityMarksScopeSchema,
      answer: capacityMarksSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/forecast',
      summary: 'Forecast of when types, models or aggregates will be full',
      may: 'fleet.read',
      query: forecastScopeSchema,
      answer: forecastSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/freshness',
      summary: 'How old the data is, and which hosts are silent',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: freshnessSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/cloud-reading',
      summary: 'How OpenStack was read last, and what it cost',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: cloudReadingSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/search',
      summary: 'Hosts, pGPUs, servers, projects and types by a text',
      may: 'fleet.read',
      query: searchQuerySchema,
      answer: searchResultsSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/api-aliases',
      summary: 'PCI aliases of Nova’s API, as reported by agents or entered by an admin',
      may: 'fleet.read',
      query: cloudScopeSchema,
      answer: apiAliasListSchema,
    },
    {
      method: 'PUT',
      path: '/api/v1/api-aliases',
      summary: 'Enter the PCI aliases of Nova’s API if no agent reports them',
      may: 'api-alias.set',
      query: cloudScopeSchema,
      body: enterAliasesSchema,
      answer: null,
    },
    {
      method: 'DELETE',
      path: '/api/v1/api-aliases',
      summary: 'Delete the entered aliases',
      may: 'api-alias.set',
      query: cloudScopeSchema,
      answer: null,
    },
  ],
}
