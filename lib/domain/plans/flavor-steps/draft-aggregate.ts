import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { HostAggregate } from '@/lib/domain/cloud/types'
import { aggregateHostsStep, aggregatePropertiesStep, createAggregateStep } from './aggregate-steps'
import { membership } from './flavor-steps'
import type { FlavorStep } from './tasks'

/** An aggregate that a flavor is tied to: made if it is not there, else added to. */
export type AggregateWish = {
  name: string
  /** Names of nova-compute services to add to the existing ones. */
  hosts: readonly string[]
  properties: Readonly<Record<string, string>>
}

/**
 * Adds the group_policy of the flavors of an aggregate to its properties: AggregateInstanceExtraSpecsFilter searches the
 * properties for every extra spec without a scope (nova/scheduler/filters/aggregate_instance_extra_specs.py), and one
 * property may list several values.
 */
export const withGroupPolicy = (
  { input }: Fleet,
  wish: AggregateWish,
  flavors: readonly Readonly<Record<string, string>>[],
): AggregateWish => {
  const policies = flavors.flatMap(({ group_policy: policy }) => policy ?? [])
  if (policies.length === 0 || Object.keys(wish.properties).length === 0) return wish
  const found = input.facts.aggregates.value?.find(({ name }) => name === wish.name)
  const listed = (wish.properties.group_policy ?? found?.metadata.group_policy ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  const all = [...new Set([...listed, ...policies])]
  return { ...wish, properties: { ...wish.properties, group_policy: all.join(',') } }
}

type Drafted = { steps: readonly FlavorStep[]; reason: string | null }

const refused = (reason: string): Drafted => ({ steps: [], reason })

/** The steps that an aggregate takes to be as wanted, none where it is; or why that can't be planned. */
export const draftAggregate = ({ input }: Fleet, { name, hosts, properties }: AggregateWish): Drafted => {
  const { aggregates, services } = input.facts
  if (aggregates.value === null) return refused(`Nova’s aggregates could not be read: ${aggregates.error}`)
  if (services.value === null) return refused(`Nova’s services could not be read: ${services.error}`)
  const computes = new Set(services.value.map(({ host }) => host))
  const stranger = hosts.find((host) => !computes.has(host))
  if (stranger !== undefined) return refused(`Nova has no nova-compute service on ${stranger}`)
  const found = aggregates.value.find((aggregate) => aggregate.name === name)
  const missing = hosts.filter((host) => found?.hosts.includes(host) !== true)
  const changes = Object.entries(properties)
    .map(([key, wanted]) => ({ key, seen: found?.metadata[key] ?? null, wanted }))
    .filter(({ seen, wanted }) => seen !== wanted)
  return {
    steps: [
      ...(found === undefined ? [createAggregateStep(name)] : []),
      ...(missing.length === 0 ? [] : [aggregateHostsStep(name, membership(missing, true))]),
      ...(changes.length === 0 ? [] : [aggregatePropertiesStep(name, changes)]),
    ],
    reason: null,
  }
}

const added = (
  found: HostAggregate | undefined,
  { name, hosts, properties }: AggregateWish,
): HostAggregate => ({
  id: 0,
  uuid: '',
  availabilityZone: null,
  ...found,
  name,
  hosts: [...new Set([...(found?.hosts ?? []), ...hosts])],
  metadata: { ...found?.metadata, ...properties },
})

/** The fleet with an aggregate as it would be, so that it can be asked what lands there. */
export const withAggregate = (fleet: Fleet, wish: AggregateWish): Fleet => {
  const { facts } = fleet.input
  const { aggregates } = facts
  if (aggregates.value === null) return fleet
  const found = aggregates.value.find(({ name }) => name === wish.name)
  const value = [...aggregates.value.filter((one) => one !== found), added(found, wish)]
  return joinFleet({ ...fleet.input, facts: { ...facts, aggregates: { ...aggregates, value } } })
}
