import { ApiError } from '../../http/api-error'
import { CODES } from '../codes'
import { parseMembers, parseRequired, parseResources } from '../filters'
import { checkQuery, has, type PlacementCall } from '../placement-handler'
import type { CandidateGroup, CandidateRequest } from './candidate-request'

const SUFFIX = '([a-zA-Z0-9_-]{1,64})'
const OLD_SUFFIX = '([1-9][0-9]*)'

const bad = (why: string, code: string = CODES.undefined): ApiError => new ApiError(400, why, { code })

const knownParameters = (call: PlacementCall): RegExp => {
  const suffix = has(call, '1.33') ? SUFFIX : OLD_SUFFIX
  const parts = [
    'resources',
    ...(has(call, '1.16') ? ['limit'] : []),
    ...(has(call, '1.17') ? ['required'] : []),
    ...(has(call, '1.21') ? ['member_of'] : []),
    ...(has(call, '1.25') ? [`(resources|required|member_of)${suffix}`, 'group_policy'] : []),
    ...(has(call, '1.31') ? ['in_tree', `in_tree${suffix}`] : []),
    ...(has(call, '1.35') ? ['root_required'] : []),
    ...(has(call, '1.36') ? ['same_subtree'] : []),
  ]
  return new RegExp(`^(${parts.join('|')})$`)
}

const suffixesOf = (call: PlacementCall, kind: string): string[] =>
  [...new Set(call.request.query.keys())]
    .filter((name) => name.startsWith(kind))
    .map((name) => name.slice(kind.length))

const groupOf = (call: PlacementCall, suffix: string): CandidateGroup => {
  const { query } = call.request
  const inTree = query.get(`in_tree${suffix}`)
  if (inTree !== null && !/^[0-9a-f-]{36}$/i.test(inTree)) {
    throw bad(
      `Invalid query string parameters: Expected 'in_tree${suffix}' parameter to be a format of uuid. Got: ${inTree}`,
    )
  }
  return {
    suffix,
    resources: parseResources(call, query.get(`resources${suffix}`) ?? ''),
    required: parseRequired(call, query.getAll(`required${suffix}`), `required${suffix}`),
    members: parseMembers(query.getAll(`member_of${suffix}`)),
    inTree,
  }
}

const checkOrphans = (call: PlacementCall, suffixes: string[]): void => {
  for (const kind of ['required', 'member_of', 'in_tree']) {
    const orphans = suffixesOf(call, kind).filter((suffix) => !suffixes.includes(suffix))
    if (orphans.length === 0) continue
    const word = kind === 'required' ? 'traits' : kind
    throw bad(
      `All ${word} parameters must be associated with resources. Found the following orphaned ${word} keys: ${orphans.map((suffix) => `${kind}${suffix}`).join(', ')}`,
    )
  }
}

/** What is required may not be forbidden as well. */
const checkConflicts = (groups: CandidateGroup[]): void => {
  const conflicts = groups.flatMap(({ suffix, required }) =>
    required.anyOf
      .filter((names) => names.every((name) => required.forbidden.includes(name)))
      .map((names) => `required${suffix}: (${names.join(', ')})`),
  )
  if (conflicts.length === 0) return
  throw bad(
    `Conflicting required and forbidden traits found in the following traits keys: ${conflicts.join(', ')}`,
  )
}

const policyOf = (call: PlacementCall, numbered: number): CandidateRequest['groupPolicy'] => {
  const policy = call.request.query.get('group_policy')
  if (policy === 'none' || policy === 'isolate') return policy
  if (policy !== null) {
    throw bad(`Invalid query string parameters: '${policy}' is not one of ['none', 'isolate']`)
  }
  if (numbered < 2) return null
  throw bad(
    'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.',
    CODES.queryParameterMissing,
  )
}

const rootRequiredOf = (call: PlacementCall): CandidateRequest['rootRequired'] => {
  const values = call.request.query.getAll('root_required')
  if (values.length > 1) {
    throw bad("Query parameter 'root_required' may be specified only once.", CODES.queryDuplicateKey)
  }
  return parseRequired(call, values, 'root_required')
}

/** Reads the query as Placement does, with its refusals. */
export const parseCandidateRequest = (call: PlacementCall): CandidateRequest => {
  checkQuery(call, knownParameters(call))
  const suffixes = suffixesOf(call, 'resources')
  if (suffixes.length === 0) {
    throw bad('There must be at least one resources or resources[$S] parameter.', CODES.queryParameterMissing)
  }
  checkOrphans(call, suffixes)
  const groups = suffixes.sort().map((suffix) => groupOf(call, suffix))
  checkConflicts(groups)
  return {
    groups,
    groupPolicy: policyOf(call, suffixes.filter((suffix) => suffix !== '').length),
    rootRequired: rootRequiredOf(call),
    sameSubtrees: call.request.query.getAll('same_subtree').map((value) => value.split(',')),
  }
}

/** At most so many candidates; null for all. */
export const limitOf = ({ request }: PlacementCall): number | null => {
  const text = request.query.get('limit')
  if (text === null) return null
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw bad(`Invalid query string parameters: '${text}' does not match '^[1-9][0-9]*$'`)
}
