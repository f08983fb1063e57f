import type { Query } from '@/lib/server/database/database'
import { writeGuestChanges, writePgpuChanges } from '@/lib/services/report/write-history'
import { uuidFrom } from '@/simulator/random/uuid-from'

type Position = { hostId: number; sequence?: number; at: Date }
type Point = {
  address: string
  typeId?: string | null
  typeName?: string | null
  model?: string | null
  framework?: string | null
  capacity?: number
  used?: number
  spare?: number | null
  orphan?: number | null
}
type Held = {
  /** Identifies the guest; its uuid is derived from it. */
  guest: string
  name?: string
  flavorName?: string | null
  projectId?: string | null
  projectName?: string | null
  addresses: readonly string[]
  typeIds: readonly string[]
}

/** The uuid of a test's guest. */
export const guestUuid = (guest: string): string => uuidFrom(`guest ${guest}`)

const positionOf = ({ hostId, sequence = 1, at }: Position) => [hostId, 1, 1, sequence, at.getTime()]

/** Adds to the history of a pGPU as its host's report would; what is not given is unknown. */
export const addPgpuChange = (query: Query, change: Position & Point): Promise<unknown> => {
  const { address, typeId, typeName, model, framework = 'mdev-sriov', capacity, used, spare, orphan } = change
  const numbers = [capacity, used, spare, orphan, null, null].map((number) => number ?? null)
  const row = [
    ...positionOf(change),
    address,
    typeId ?? null,
    framework,
    ...numbers,
    typeName ?? null,
    model ?? null,
  ]
  return writePgpuChanges(query, [row])
}

/** Adds to the history of a guest. */
export const addGuestChange = (query: Query, change: Position & Held): Promise<unknown> => {
  const { guest, name = guest, flavorName = null, projectId = null, projectName = null } = change
  const held = [change.addresses, change.typeIds]
  return writeGuestChanges(query, [
    [...positionOf(change), guestUuid(guest), name, flavorName, projectId, projectName, ...held],
  ])
}
