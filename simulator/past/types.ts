/** A pGPU as a row of its history has it; numbers in vGPUs, null is unknown. Times here and below are ms since the epoch. */
export type PastPoint = {
  at: number
  address: string
  typeId: string | null
  typeName: string | null
  model: string
  framework: string
  capacity: number | null
  used: number | null
  spare: number | null
  orphan: number | null
  returning: number | null
  creatable: number | null
}

/** A server with a GPU. */
export type PastGuest = {
  uuid: string
  name: string
  flavorName: string | null
  projectId: string | null
  projectName: string | null
  /** One entry for each vGPU or whole card, and the type of each; empty text: a whole card. */
  addresses: string[]
  typeIds: string[]
}

/** What a guest holds from `at` on; without addresses: nothing any more. */
export type PastHolding = PastGuest & { at: number }

/** What the cloud reported of a pGPU. */
export type PastWord = {
  at: number
  address: string
  advertised: number | null
  advertisedUsed: number | null
  stranded: number | null
  /** Why they are, in the console's words; null: none are. */
  because: string | null
  serviceState: 'up' | 'disabled'
  aggregates: string[]
}

/** A stretch in which the agent watched its host. */
export type PastWatch = { since: number; until: number }

export type HostPast = {
  name: string
  /** Each list in the order of time. The last interval continues to the past's end. */
  points: PastPoint[]
  holdings: PastHolding[]
  words: PastWord[]
  watches: PastWatch[]
  /** What is held at the past's end. */
  held: PastGuest[]
}

/** A server that came to no host: nothing of its flavor was free anywhere, or its project held all that it may. */
export type PastRefusal = {
  at: number
  uuid: string
  projectId: string
  projectName: string
  flavorName: string
  message: string
}

/** A project's limit on vGPUs from `at` on, and how many it then used. */
export type PastLimit = { at: number; projectId: string; value: number; used: number }

export type Past = {
  begin: number
  end: number
  hosts: HostPast[]
  refusals: PastRefusal[]
  limits: PastLimit[]
}
