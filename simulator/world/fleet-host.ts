import type { VendorPlan } from '@/simulator/host/choose-device'
import type { HostSpec, NovaTypeSpec } from '@/simulator/host-tree/host-spec'
import type { ProjectName } from './projects'

/** A host of a simulated fleet and what becomes of it. */
export type FleetHost = {
  /** The host at the beginning. */
  spec: HostSpec
  plan: VendorPlan
  /** Who has servers here. */
  projects: ProjectName[]
  story: Story
  connection: Connection
}

export type Story =
  /** Nothing changes. */
  | { kind: 'still' }
  /** Servers come and go around a share of the capacity. */
  | { kind: 'churn'; targetUse: number; canReboot: boolean; canHaveTornXml: boolean }
  /** Like churn, and every now and then the operator gives the host the other list of types. */
  | { kind: 'retype'; targetUse: number; others: NovaTypeSpec[]; everyMs: number }

export type Connection =
  | { kind: 'always' }
  /** The agent is heard for a while and then never again. */
  | { kind: 'lost'; afterMs: number }
  /** The agent is heard and lost in turns. */
  | { kind: 'in-turns'; connectedMs: number; lostMs: number }
