/** What Placement holds. */
export type PlacementState = {
  /** By uuid, in the order of creation. */
  providers: Map<string, Provider>
  /** Uuid by name. */
  names: Map<string, string>
  consumers: Map<string, Consumer>
  /** Uuids of the consumers that hold something of a provider, by the provider's uuid. */
  holders: Map<string, Set<string>>
  customTraits: Set<string>
  customClasses: Set<string>
  /** `[placement] max_allocation_candidates`; null for no bound, as by default. */
  maxCandidates: number | null
}

export type Provider = {
  uuid: string
  name: string
  generation: number
  parentUuid: string | null
  rootUuid: string
  inventories: Map<string, Inventory>
  traits: Set<string>
  aggregates: Set<string>
}

/** Fields as Placement names them, so that they can be sent as they are. */
export type Inventory = {
  total: number
  reserved: number
  min_unit: number
  max_unit: number
  step_size: number
  allocation_ratio: number
}

export type Consumer = {
  uuid: string
  generation: number
  projectId: string
  userId: string
  type: string | null
  /** Amount by resource class, by the provider's uuid. */
  allocations: Map<string, Map<string, number>>
}

export const createPlacementState = (): PlacementState => ({
  providers: new Map(),
  names: new Map(),
  consumers: new Map(),
  holders: new Map(),
  customTraits: new Set(),
  customClasses: new Set(),
  maxCandidates: null,
})

/** Capacity is (total - reserved) x ratio, cut to a whole number. */
export const capacityOf = ({ total, reserved, allocation_ratio }: Inventory): number =>
  Math.floor((total - reserved) * allocation_ratio)

export const consumersOf = (state: PlacementState, providerUuid: string): Consumer[] =>
  [...(state.holders.get(providerUuid) ?? [])].flatMap((uuid) => state.consumers.get(uuid) ?? [])

/** Amount in use by resource class; classes of which nothing is used are absent. */
export const usedOf = (state: PlacementState, providerUuid: string): Map<string, number> => {
  const used = new Map<string, number>()
  for (const consumer of consumersOf(state, providerUuid)) {
    for (const [name, amount] of consumer.allocations.get(providerUuid) ?? []) {
      used.set(name, (used.get(name) ?? 0) + amount)
    }
  }
  return used
}

export const treeOf = (state: PlacementState, rootUuid: string): Provider[] =>
  [...state.providers.values()].filter((provider) => provider.rootUuid === rootUuid)

export const providerNamed = (state: PlacementState, name: string): Provider | undefined =>
  state.providers.get(state.names.get(name) ?? '')
