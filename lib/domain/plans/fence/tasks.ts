import type { CpuOptions } from '@/lib/domain/fence/cpu-options'
import type { CreateTraitTask } from '../create-trait-step'
import type { FlavorTask } from '../flavor-steps/tasks'
import type { HostTask } from '../host-steps/tasks'
import type { PlanBase, Step } from '../step'
import type { FencePreview } from './preview'

/** Steps that keep room for GPU servers. */
export type FenceTask =
  | {
      kind: 'write-cpu-config'
      host: string
      before: CpuOptions
      after: CpuOptions
      /** Content of the console's own file; null: there is none. */
      ownBefore: string | null
      ownAfter: string | null
      /** In the drop-in folder, where the host's agent writes it. */
      file: string
      /** When nova-compute was started, as the plan saw it; null: its agent does not say. */
      startedAt: string | null
    }
  | {
      kind: 'verify-room'
      host: string
      /** Name of the compute node in Placement. */
      rootName: string
      /** Totals of its own inventory; 0: it has none. Unit of memory: MiB. */
      vcpu: number
      pcpu: number
      reservedMemoryMib: number
    }

/** Of a plan that reserves capacity: its own, and those on hosts and flavors. */
export type ReservationStep = Step<FenceTask | FlavorTask | HostTask | CreateTraitTask>

export type ReservationPlan = PlanBase<ReservationStep['task']> & { typeChange: null; fence: FencePreview }
