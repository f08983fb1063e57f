import type { ReservationPreviewDto } from '@/lib/schemas/api/reservation'

export type ReservationMethod = ReservationPreviewDto['way']

/** Each way with what it does and what it costs, before any number. */
export const RESERVATION_METHODS: readonly {
  way: ReservationMethod
  title: string
  what: string
  cost: string
}[] = [
  {
    way: 'cpus',
    title: 'Divide the CPUs',
    what: 'Ordinary servers share cpu_shared_set. GPU flavors request dedicated CPUs, which no other server can use.',
    cost: 'Dedicated CPUs are idle without GPU servers. Memory is not divided.',
  },
  {
    way: 'isolated',
    title: 'Aggregate for GPU flavors only',
    what: 'The hosts get a trait and an aggregate that requires it. Only flavors that require the trait are scheduled there.',
    cost: 'Capacity that GPU servers do not use is idle. Requires an option of nova-scheduler.',
  },
  {
    way: 'forbidden',
    title: 'Forbidden trait in ordinary flavors',
    what: 'The hosts get a trait that every flavor without a GPU forbids. Only Placement is involved.',
    cost: 'Capacity that GPU servers do not use is idle. Every new ordinary flavor must forbid the trait, too.',
  },
  {
    way: 'second-service',
    title: 'A second nova-compute',
    what: 'A second service on the host owns the GPUs, some CPUs and some memory.',
    cost: 'Works only up to Newton, and you must patch Neutron.',
  },
]
