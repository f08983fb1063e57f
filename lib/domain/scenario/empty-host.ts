import type { GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { emptyProvider } from '@/lib/domain/fit/count-devices'
import { emptyCard } from './empty-card'

const emptyGpuProvider = (entry: GpuProvider, name: string): GpuProvider => ({
  ...entry,
  provider: { ...emptyProvider(entry.provider), uuid: `${name} ${entry.provider.uuid}` },
})

/** A host of the same build with nothing on it, open to the scheduler. */
export const emptyHost = (joined: JoinedHost, name: string): JoinedHost => ({
  ...joined,
  host: { ...joined.host, name, isSilent: false },
  service:
    joined.service.value === null
      ? joined.service
      : {
          ...joined.service,
          value: {
            ...joined.service.value,
            host: name,
            status: 'enabled',
            state: 'up',
            isForcedDown: false,
            disabledReason: null,
          },
        },
  root:
    joined.root.value === null
      ? joined.root
      : {
          ...joined.root,
          value: { ...emptyProvider(joined.root.value), uuid: `${name} ${joined.root.value.uuid}` },
        },
  pgpus: joined.pgpus.map((entry) => ({
    ...entry,
    pgpu: emptyCard(entry.pgpu, {
      type: entry.pgpu.currentType,
      capacity: entry.pgpu.numbers.capacity.value ?? 0,
    }),
    providers: entry.providers.map((provider) => emptyGpuProvider(provider, name)),
  })),
  strays: [],
  servers: [],
})
