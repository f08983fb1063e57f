import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { ManagedTraitList } from '@/lib/schemas/api/managed-trait'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'
import { pollWhileMoving } from './poll-interval'

/** Of one pGPU; without it all of the cloud. */
type Scope = { cloud: string | null; host?: string; address?: string }

const managedTraitKeys = {
  all: ['managedTraits'] as const,
  list: (scope: Scope) => ['managedTraits', 'list', scope] as const,
}

export const managedTraitListOptions = (scope: Scope) =>
  queryOptions({
    queryKey: managedTraitKeys.list(scope),
    queryFn: ({ signal }) => requestJson<ManagedTraitList>({ path: apiPaths.managedTraits(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 5000, slowMs: 10_000 }),
  })

export const endKeepingOptions = () =>
  mutationOptions({
    mutationKey: ['managedTraits', 'end'],
    mutationFn: (name: { cloud: string | null; host: string; address: string; trait: string }) =>
      requestNothing({ path: apiPaths.managedTrait(name), method: 'DELETE' }),
    onSuccess: (_nothing, _name, _result, { client }) =>
      client.invalidateQueries({ queryKey: managedTraitKeys.all }),
  })
