import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Concern } from './concern'
import type { HostBasis } from './host-basis'
import type { HostChange } from './host-change'
import type { HostFindings } from './host-findings'
import type { HostIndex } from './host-index'
import type { HostDescription } from './types'

/** An inventory as it was read, with all that the reading of the next one may take from it. */
export type HostReading = {
  inventory: Inventory
  basis: HostBasis
  index: HostIndex
  /** Findings left out. */
  cards: readonly Card[]
  findings: HostFindings
  description: HostDescription
}

/** What is known of the inventory before, whose index has moved on: how this one differs, and what that concerns. */
export type Since = { last: Omit<HostReading, 'index'>; change: HostChange; concern: Concern }
