import { has, type PlacementCall, type PlacementHandler, type PlacementRoute } from '../placement-handler'
import { capacityOf, type PlacementState, type Provider, treeOf, usedOf } from '../placement-state'
import type { Candidate } from './candidate-request'
import { findCandidates } from './find-candidates'
import { limitOf, parseCandidateRequest } from './parse-request'

const requestBody = (call: PlacementCall, { allocations, mappings }: Candidate): unknown => {
  const pairs = [...allocations].map(([uuid, resources]) => ({
    uuid,
    resources: Object.fromEntries(resources),
  }))
  return {
    allocations: has(call, '1.12')
      ? Object.fromEntries(pairs.map(({ uuid, resources }) => [uuid, { resources }]))
      : pairs.map(({ uuid, resources }) => ({ resource_provider: { uuid }, resources })),
    ...(has(call, '1.34') ? { mappings: Object.fromEntries(mappings) } : {}),
  }
}

/** From 1.29 on every provider of each tree that has a candidate; before, those of the candidates alone. */
const summarised = (call: PlacementCall, candidates: Candidate[]): Provider[] => {
  const { state } = call
  if (has(call, '1.29')) {
    const roots = new Set(candidates.map(({ rootUuid }) => rootUuid))
    if (roots.size > 8) return [...state.providers.values()].filter(({ rootUuid }) => roots.has(rootUuid))
    return [...roots].flatMap((root) => treeOf(state, root))
  }
  const uuids = new Set(candidates.flatMap(({ allocations }) => [...allocations.keys()]))
  return [...uuids].flatMap((uuid) => state.providers.get(uuid) ?? [])
}

const summaryBody = (
  call: PlacementCall,
  state: PlacementState,
  provider: Provider,
  requested: Set<string>,
): unknown => {
  const used = usedOf(state, provider.uuid)
  const names = [...provider.inventories].filter(([name]) => has(call, '1.27') || requested.has(name))
  return {
    resources: Object.fromEntries(
      names.map(([name, inventory]) => [
        name,
        { capacity: capacityOf(inventory), used: used.get(name) ?? 0 },
      ]),
    ),
    ...(has(call, '1.17') ? { traits: [...provider.traits] } : {}),
    ...(has(call, '1.29')
      ? { parent_provider_uuid: provider.parentUuid, root_provider_uuid: provider.rootUuid }
      : {}),
  }
}

const list: PlacementHandler = (call) => {
  const request = parseCandidateRequest(call)
  const limit = limitOf(call)
  const candidates = findCandidates(call.state, request).slice(0, limit ?? undefined)
  const requested = new Set(request.groups.flatMap(({ resources }) => [...resources.keys()]))
  return {
    status: 200,
    body: {
      allocation_requests: candidates.map((candidate) => requestBody(call, candidate)),
      provider_summaries: Object.fromEntries(
        summarised(call, candidates).map((provider) => [
          provider.uuid,
          summaryBody(call, call.state, provider, requested),
        ]),
      ),
    },
  }
}

export const candidateRoutes: PlacementRoute[] = [
  {
    method: 'GET',
    path: '/allocation_candidates',
    policy: 'placement:allocation_candidates:list',
    since: '1.10',
    handler: list,
  },
]
