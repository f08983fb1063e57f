import type { MemberFilter, TraitFilter } from '../filters'

/** What `GET /allocation_candidates` requests, by group; the suffix of the group without a number is ''. */
export type CandidateGroup = {
  suffix: string
  resources: Map<string, number>
  required: TraitFilter
  members: MemberFilter
  /** Any provider of the tree. */
  inTree: string | null
}

export type CandidateRequest = {
  groups: CandidateGroup[]
  groupPolicy: 'none' | 'isolate' | null
  rootRequired: TraitFilter
  /** Suffixes whose providers must lie below (or be) one of them. */
  sameSubtrees: string[][]
}

/** One way to place a request: amounts by class by provider's uuid, and who serves which group. */
export type Candidate = {
  rootUuid: string
  allocations: Map<string, Map<string, number>>
  mappings: Map<string, string[]>
}
