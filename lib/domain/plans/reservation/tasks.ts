import * as z from 'zod'
import { cpuOptionsSchema } from '@/lib/domain/nova-config/cpu-options'
import type { PlanReservation } from '@/lib/schemas/api/change-inputs'
import type { CreateTraitTask } from '../create-trait-step'
import type { FlavorTask } from '../flavor-steps/tasks'
import type { HostTask } from '../host-steps/tasks'
import type { PlanBase, Step } from '../step'
import type { ReservationPreview } from './preview'

export type ReservationInput = PlanReservation['input']
/** CPUs of a host set apart for GPU servers, and memory for the host itself. */
export type CpuInput = Extract<ReservationInput, { way: 'cpus' }>
/** Hosts that only GPU flavors, or all but ordinary ones, may land on. */
export type AggregateInput = Extract<ReservationInput, { trait: string }>
/** A second nova-compute on the same host, which owns the GPUs, some CPUs and some memory. */
export type SecondServiceInput = Extract<ReservationInput, { way: 'second-service' }>

/** Steps that reserve capacity for GPU servers. */
export const reservationTaskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('write-cpu-config'),
    host: z.string(),
    before: cpuOptionsSchema,
    after: cpuOptionsSchema,
    /** Content of the console's own file; null: there is none. */
    ownBefore: z.string().nullable(),
    ownAfter: z.string().nullable(),
    /** In the drop-in folder, where the host's agent writes it. */
    file: z.string(),
    /** When nova-compute was started, as the plan found it; null: its agent does not report it. */
    startedAt: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('verify-room'),
    host: z.string(),
    /** Name of the compute node in Placement. */
    rootName: z.string(),
    /** Totals of the second service's own inventory; 0: it has none. Unit of memory: MiB. */
    vcpu: z.number(),
    pcpu: z.number(),
    reservedMemoryMib: z.number(),
  }),
])
type ReservationTask = z.infer<typeof reservationTaskSchema>

/** Of a plan that reserves capacity: its own, and those on hosts and flavors. */
export type ReservationStep = Step<ReservationTask | FlavorTask | HostTask | CreateTraitTask>

export type ReservationPlan = PlanBase<ReservationStep['task']> & { kind: 'fence'; fence: ReservationPreview }
