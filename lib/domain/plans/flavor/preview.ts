/** Whether servers of a flavor fit, by the last reading and by Placement's answer to the flavor's own query. */
export type PlacementPreview = {
  query: string
  /** Now, over all hosts; of hosts that are not known what surely fits. */
  fits: number
  fittingHosts: number
  unknownHosts: number
  /** Hosts that could take one if they were empty; null: unknown for some host. */
  possibleHosts: number | null
  /** Why none fits now, of the nearest host; null when some do. */
  because: string | null
  placement: {
    state: 'answered' | 'refused' | 'away' | 'not-asked'
    candidates: number | null
    because: string | null
  }
}

/** One extra spec before and after; null: not there. */
export type SpecChange = { key: string; before: string | null; after: string | null }

export type FlavorEffect = {
  id: string
  name: string
  isNew: boolean
  isPublic: boolean
  /** In plain words; null: it is new. */
  asksBefore: string | null
  asks: string
  specs: SpecChange[]
  /** Servers that were made from it and keep their copy; null: not known. */
  servers: number | null
  /** Null: neither amounts nor extra specs change. */
  placementPreview: PlacementPreview | null
}

/** What a change of flavors means. */
export type FlavorChangePreview = {
  flavors: FlavorEffect[]
  refusals: { id: string; name: string; reason: string }[]
  /** Names of flavors that are as wanted already. */
  unchanged: string[]
  /** The aggregate that the change creates or extends; null: none. */
  aggregate: string | null
  notes: string[]
  /** Of a new flavor, to be made by Terraform instead. */
  terraform: string | null
}
