import { hasTraits, matchesMembers } from '../filters'
import { capacityOf, type PlacementState, type Provider, usedOf } from '../placement-state'
import type { Candidate, CandidateGroup, CandidateRequest } from './candidate-request'

type Member = { provider: Provider; free: Map<string, number> }
type Tree = { root: Provider; members: Member[] }

/** What one provider gives to one group. */
type Choice = { suffix: string; member: Member; resources: Map<string, number> }

const treesOf = (state: PlacementState): Tree[] => {
  const trees = new Map<string, Tree>()
  for (const provider of state.providers.values()) {
    const used = usedOf(state, provider.uuid)
    const free = new Map(
      [...provider.inventories].map(([name, inventory]) => [
        name,
        capacityOf(inventory) - (used.get(name) ?? 0),
      ]),
    )
    const member = { provider, free }
    const tree = trees.get(provider.rootUuid)
    if (tree !== undefined) tree.members.push(member)
    else
      trees.set(provider.rootUuid, {
        root: state.providers.get(provider.rootUuid) ?? provider,
        members: [member],
      })
  }
  return [...trees.values()]
}

const fits = ({ provider, free }: Member, name: string, amount: number): boolean => {
  const inventory = provider.inventories.get(name)
  if (inventory === undefined || amount > (free.get(name) ?? 0)) return false
  const { min_unit, max_unit, step_size } = inventory
  return amount >= min_unit && amount <= max_unit && amount % step_size === 0
}

const isForbidden = ({ traits }: Provider, { required }: CandidateGroup): boolean =>
  required.forbidden.some((name) => traits.has(name))

/** One provider gives all of a numbered group. */
const numberedChoices = (tree: Tree, group: CandidateGroup): Choice[] =>
  tree.members
    .filter(
      (member) =>
        hasTraits(member.provider.traits, group.required) &&
        matchesMembers(member.provider.aggregates, group.members) &&
        [...group.resources].every(([name, amount]) => fits(member, name, amount)),
    )
    .map((member) => ({ suffix: group.suffix, member, resources: group.resources }))

/** Of the group without a number each class may come from another provider; the root's aggregates are the tree's. */
const looseChoices = (tree: Tree, group: CandidateGroup, [name, amount]: [string, number]): Choice[] =>
  tree.members
    .filter((member) => {
      const memberships = [member.provider.aggregates, tree.root.aggregates]
      const { anyOf, forbidden } = group.members
      const isMember = memberships.some((own) => matchesMembers(own, { anyOf, forbidden: [] }))
      const isBarred = memberships.some((own) => !matchesMembers(own, { anyOf: [], forbidden }))
      return isMember && !isBarred && !isForbidden(member.provider, group) && fits(member, name, amount)
    })
    .map((member) => ({ suffix: group.suffix, member, resources: new Map([[name, amount]]) }))

const isInTree = (state: PlacementState, tree: Tree, { inTree }: CandidateGroup): boolean =>
  inTree === null || state.providers.get(inTree)?.rootUuid === tree.root.uuid

/** For each thing that must be chosen, what may be. Null when a tree can't serve at all. */
const slotsOf = (state: PlacementState, tree: Tree, request: CandidateRequest): Choice[][] | null => {
  if (!hasTraits(tree.root.traits, request.rootRequired)) return null
  if (!request.groups.every((group) => isInTree(state, tree, group))) return null
  const slots = request.groups.flatMap((group) =>
    group.suffix === ''
      ? [...group.resources].map((resource) => looseChoices(tree, group, resource))
      : [numberedChoices(tree, group)],
  )
  return slots.every((choices) => choices.length > 0) ? slots : null
}

const added = (
  allocations: Candidate['allocations'],
  { member, resources }: Choice,
): Candidate['allocations'] => {
  const next = new Map(allocations)
  const sums = new Map(next.get(member.provider.uuid))
  for (const [name, amount] of resources) sums.set(name, (sums.get(name) ?? 0) + amount)
  return next.set(member.provider.uuid, sums)
}

/** Groups together may ask a provider for more than it has, or for more than its largest unit. */
const isBearable = (allocations: Candidate['allocations'], { member, resources }: Choice): boolean =>
  [...resources.keys()].every((name) => {
    const amount = allocations.get(member.provider.uuid)?.get(name) ?? 0
    const max = member.provider.inventories.get(name)?.max_unit ?? 0
    return amount <= (member.free.get(name) ?? 0) && amount <= max
  })

const mappingsOf = (choices: Choice[]): Candidate['mappings'] => {
  const mappings = new Map<string, string[]>()
  for (const { suffix, member } of choices) {
    const uuids = mappings.get(suffix) ?? []
    if (!uuids.includes(member.provider.uuid)) mappings.set(suffix, [...uuids, member.provider.uuid])
  }
  return mappings
}

/** Traits of the group without a number are looked for on all of its providers together. */
const meetsLooseTraits = (choices: Choice[], groups: CandidateGroup[]): boolean => {
  const loose = groups.find(({ suffix }) => suffix === '')
  if (loose === undefined) return true
  const own = choices.filter(({ suffix }) => suffix === '')
  const traits = new Set(own.flatMap(({ member }) => [...member.provider.traits]))
  return hasTraits(traits, { anyOf: loose.required.anyOf, forbidden: [] })
}

const isIsolated = (choices: Choice[]): boolean => {
  const numbered = choices.filter(({ suffix }) => suffix !== '').map(({ member }) => member.provider.uuid)
  return new Set(numbered).size === numbered.length
}

const ancestorsOf = (state: PlacementState, provider: Provider): Set<string> => {
  const found = new Set<string>()
  for (
    let at: Provider | undefined = provider;
    at !== undefined;
    at = state.providers.get(at.parentUuid ?? '')
  )
    found.add(at.uuid)
  return found
}

const isSameSubtree = (state: PlacementState, choices: Choice[], suffixes: string[]): boolean => {
  const providers = choices
    .filter(({ suffix }) => suffixes.includes(suffix))
    .map(({ member }) => member.provider)
  const lines = providers.map((provider) => ancestorsOf(state, provider))
  return providers.some(({ uuid }) => lines.every((line) => line.has(uuid)))
}

const isAllowed = (state: PlacementState, choices: Choice[], request: CandidateRequest): boolean =>
  meetsLooseTraits(choices, request.groups) &&
  (request.groupPolicy !== 'isolate' || isIsolated(choices)) &&
  request.sameSubtrees.every((suffixes) => isSameSubtree(state, choices, suffixes))

function* combinations(
  slots: Choice[][],
  at = 0,
  taken: { choices: Choice[]; allocations: Candidate['allocations'] } = {
    choices: [],
    allocations: new Map(),
  },
): Generator<{ choices: Choice[]; allocations: Candidate['allocations'] }> {
  const slot = slots[at]
  if (slot === undefined) {
    yield taken
    return
  }
  for (const choice of slot) {
    const allocations = added(taken.allocations, choice)
    if (!isBearable(allocations, choice)) continue
    yield* combinations(slots, at + 1, { choices: [...taken.choices, choice], allocations })
  }
}

/**
 * Every way to serve a request, tree by tree. Sharing providers (MISC_SHARES_VIA_AGGREGATE) are not modelled: the
 * simulated cloud has none.
 */
export const findCandidates = (state: PlacementState, request: CandidateRequest): Candidate[] => {
  const found: Candidate[] = []
  for (const tree of treesOf(state)) {
    const slots = slotsOf(state, tree, request)
    if (slots === null) continue
    for (const { choices, allocations } of combinations(slots)) {
      if (state.maxCandidates !== null && found.length >= state.maxCandidates) return found
      if (!isAllowed(state, choices, request)) continue
      found.push({ rootUuid: tree.root.uuid, allocations, mappings: mappingsOf(choices) })
    }
  }
  return found
}
