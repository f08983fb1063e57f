import type { FenceDto } from '@/lib/schemas/api/fence'

export type FenceWay = FenceDto['way']

/** Each way with what it does and what it costs, before any number. */
export const FENCE_WAYS: readonly { way: FenceWay; title: string; what: string; cost: string }[] = [
  {
    way: 'cpus',
    title: 'Divide the CPUs',
    what: 'Ordinary servers share cpu_shared_set; GPU flavors ask for dedicated CPUs, which nobody else takes.',
    cost: 'Dedicated CPUs lie idle without GPU servers. Memory is not divided.',
  },
  {
    way: 'isolated',
    title: 'GPU flavors only, by an aggregate',
    what: 'The hosts carry a trait, an aggregate requires it, and only flavors that require it land there.',
    cost: 'What GPU servers leave over lies idle. Needs an option of nova-scheduler.',
  },
  {
    way: 'forbidden',
    title: 'Ordinary flavors forbid the host',
    what: 'The hosts carry a trait that every flavor without a GPU forbids. Placement alone enforces it.',
    cost: 'What GPU servers leave over lies idle. Every new ordinary flavor needs it too.',
  },
  {
    way: 'second-service',
    title: 'A second nova-compute',
    what: 'A second service on the host owns the GPUs, some CPUs and some memory.',
    cost: 'Works up to Newton alone, and Neutron needs a patch of your own.',
  },
]
