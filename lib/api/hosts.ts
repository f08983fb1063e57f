import { queryOptions } from '@tanstack/react-query'
import type { HostCells } from '@/lib/schemas/api/gpu'
import type { HostDetail, HostList } from '@/lib/schemas/api/host'
import type { HostPci } from '@/lib/schemas/api/host-pci'
import type { HostReboot } from '@/lib/schemas/api/reboot'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

const hostKeys = {
  all: ['hosts'] as const,
  list: ({ cloud }: Scope) => ['hosts', 'list', { cloud }] as const,
  detail: ({ cloud, host }: Scope & { host: string }) => ['hosts', 'detail', { cloud, host }] as const,
  pci: ({ cloud, host }: Scope & { host: string }) => ['hosts', 'pci', { cloud, host }] as const,
  reboot: ({ cloud, host }: Scope & { host: string }) => ['hosts', 'reboot', { cloud, host }] as const,
  cells: ({ cloud, host }: Scope & { host: string }) => ['hosts', 'cells', { cloud, host }] as const,
}

const LARGE_FLEET_HOSTS = 1000

export const hostListOptions = (scope: Scope) =>
  queryOptions({
    queryKey: hostKeys.list(scope),
    queryFn: ({ signal }) => requestJson<HostList>({ path: apiPaths.hosts(scope), signal }),
    refetchInterval: pollWhileMoving<HostList>(({ hosts }) =>
      hosts.length > LARGE_FLEET_HOSTS
        ? { fastMs: 20_000, slowMs: 20_000 }
        : { fastMs: 5000, slowMs: 10_000 },
    ),
  })

export const hostDetailOptions = (scope: Scope & { host: string }) =>
  queryOptions({
    queryKey: hostKeys.detail(scope),
    queryFn: ({ signal }) => requestJson<HostDetail>({ path: apiPaths.host(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 2000, slowMs: 10_000 }),
  })

/** [pci] of the host's nova.conf compared with that of Nova's API: as fresh as their last reports. */
export const hostPciOptions = (scope: Scope & { host: string }) =>
  queryOptions({
    queryKey: hostKeys.pci(scope),
    queryFn: ({ signal }) => requestJson<HostPci>({ path: apiPaths.hostPci(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 5000, slowMs: 10_000 }),
  })

/** What a reboot of the host would do: as fresh as its last report and the last round. */
export const hostRebootOptions = (scope: Scope & { host: string }) =>
  queryOptions({
    queryKey: hostKeys.reboot(scope),
    queryFn: ({ signal }) => requestJson<HostReboot>({ path: apiPaths.hostReboot(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 5000, slowMs: 10_000 }),
  })

/** The occupants of the cells of one host's bars: requested when a bar is hovered or focused, so it does not poll. */
export const hostCellsOptions = (scope: Scope & { host: string }) =>
  queryOptions({
    queryKey: hostKeys.cells(scope),
    queryFn: ({ signal }) => requestJson<HostCells>({ path: apiPaths.hostCells(scope), signal }),
    staleTime: 5000,
  })
