import type { GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { plural } from '@/lib/domain/wording'
import { emptyCard } from './empty-card'
import { type AppliedStep, refused, type WhatIfState, type WhatIfStep } from './types'

type AddStep = Extract<WhatIfStep, { do: 'add' }>

const emptyProvider = (provider: ResourceProvider, uuid: string): ResourceProvider => ({
  ...provider,
  uuid,
  inventories:
    provider.inventories === null
      ? null
      : Object.fromEntries(
          Object.entries(provider.inventories).map(([name, inventory]) => [name, { ...inventory, used: 0 }]),
        ),
})

const emptyGpuProvider = (entry: GpuProvider, name: string): GpuProvider => ({
  ...entry,
  provider: emptyProvider(entry.provider, `${name} ${entry.provider.uuid}`),
})

/** A host of the same build with nothing on it, open to the scheduler. */
const emptyHost = (joined: JoinedHost, name: string): JoinedHost => ({
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
      : { ...joined.root, value: emptyProvider(joined.root.value, `${name} ${joined.root.value.uuid}`) },
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

/** What has to be ordered: the cards, and CPU, memory and disk of the host as in Placement. */
const orderText = (joined: JoinedHost, count: number): string => {
  const models = new Map<string, number>()
  for (const { pgpu } of joined.pgpus) models.set(pgpu.model, (models.get(pgpu.model) ?? 0) + 1)
  const inventories = joined.root.value?.inventories ?? {}
  const amount = (name: string): number | null =>
    inventories[name]?.total ?? inventories[name]?.capacity ?? null
  const rest: [string, number | null][] = [
    ['CPUs', (amount('VCPU') ?? 0) + (amount('PCPU') ?? 0)],
    ['GiB of memory', amount('MEMORY_MB') === null ? null : Math.round((amount('MEMORY_MB') ?? 0) / 1024)],
    ['GiB of disk', amount('DISK_GB')],
  ]
  return [
    `${plural(count, 'host', 'hosts')} like ${joined.host.name}, each with:`,
    ...[...models].map(([model, cards]) => `- ${cards} x ${model}`),
    ...rest.flatMap(([what, value]) => (value === null || value === 0 ? [] : [`- ${value} ${what}`])),
  ].join('\n')
}

/** Hosts of the same build as one that is there, in the same aggregates. */
export const addHosts = (state: WhatIfState, { count, like }: AddStep): AppliedStep => {
  const { fleet } = state
  const joined = fleet.hosts.find(({ host }) => host.name === like)
  if (joined === undefined) return refused(state, `No agent reports a host ${like}: choose another one.`)
  if (joined.pgpus.length === 0) return refused(state, `${like} has no GPU: choose a host that has one.`)
  if (joined.root.value === null)
    return refused(state, `Placement has no provider of ${like}: ${joined.root.because}.`)
  const names = Array.from({ length: count }, (_, place) => `${like} (new ${state.added.size + place + 1})`)
  const own = new Set((hostAggregates(fleet, joined) ?? []).map(({ uuid }) => uuid))
  const { aggregates } = fleet.input.facts
  const facts = {
    ...fleet.input.facts,
    aggregates:
      aggregates.value === null
        ? aggregates
        : {
            ...aggregates,
            value: aggregates.value.map((each) =>
              own.has(each.uuid) ? { ...each, hosts: [...each.hosts, ...names] } : each,
            ),
          },
  }
  return {
    state: {
      ...state,
      fleet: {
        ...fleet,
        input: { ...fleet.input, facts },
        hosts: [...fleet.hosts, ...names.map((name) => emptyHost(joined, name))],
      },
      added: new Set([...state.added, ...names]),
    },
    outcome: { problem: null, moving: 0, targets: [], text: orderText(joined, count) },
  }
}
