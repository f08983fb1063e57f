import { naturalOrder } from '@/lib/util/natural-order'
import { oncePer } from '@/lib/util/once-per'
import type { Fleet, JoinedHost } from './fleet-types'
import {
  driverBlockers,
  endBlockers,
  endCautions,
  freeOfType,
  headroomBlockers,
  liveMigrationSupport,
  type MigrationBlocker,
  type MigrationCaution,
  pairBlockers,
  releaseBlockers,
  ruleFactsOf,
} from './migration-ends'
import type { RuleFacts } from './migration-rules'

/** `later`: possible again when capacity is free or the service is enabled. */
type MigrationVerdict = 'possible' | 'later' | 'blocked' | 'unknown'

/** From each host of one group to each of another, or of the same, for vGPUs of one type. */
type MigrationPair = {
  source: number
  destination: number
  verdict: MigrationVerdict
  blockers: readonly MigrationBlocker[]
  cautions: readonly MigrationCaution[]
}

type MigrationHost = {
  name: string
  /** Place of its group. */
  group: number
  isSilent: boolean
  driverVersion: string | null
  /** Free vGPUs of the type, by hardware and Placement; null: not known. */
  free: number | null
}

export type MigrationMatrix = {
  typeId: string
  typeName: string
  /** Whether Nova's release live-migrates vGPUs of this type, as a sentence. */
  support: string
  /** By name. */
  hosts: readonly MigrationHost[]
  /** Hosts that are equal in all that matters, so that a thousand hosts make a matrix of a few. */
  groupCount: number
  /** Every ordered pair of groups, sources first; a group with itself where it has several hosts. */
  pairs: readonly MigrationPair[]
}

/** Every type that hosts carry, with the hosts. */
export const hostsByType = oncePer((fleet: Fleet): Map<string, { typeName: string; hosts: JoinedHost[] }> => {
  const types = new Map<string, { typeName: string; hosts: JoinedHost[] }>()
  for (const joined of fleet.hosts) {
    const own = new Map(
      joined.pgpus.flatMap(({ pgpu }) =>
        pgpu.currentType === null ? [] : [[pgpu.currentType.typeId, pgpu.currentType]],
      ),
    )
    for (const [typeId, { shortName }] of own) {
      const held = types.get(typeId)
      if (held === undefined) types.set(typeId, { typeName: shortName, hosts: [joined] })
      else held.hosts.push(joined)
    }
  }
  return types
})

/** All that a row or a column of the matrix depends on. */
type End = {
  isSilent: boolean
  driver: string | null
  /** Null: silent. */
  rules: RuleFacts | null
  asSource: readonly MigrationBlocker[]
  asDestination: readonly MigrationBlocker[]
  cautionsAsSource: readonly MigrationCaution[]
  cautionsAsDestination: readonly MigrationCaution[]
}

const endOf = (fleet: Fleet, joined: JoinedHost, typeId: string): End => {
  const { isSilent, inventory } = joined.host
  return {
    isSilent,
    // The last report of a silent host does not prove its current state.
    driver: isSilent ? null : inventory.host.nvidiaDriverVersion,
    rules: isSilent ? null : ruleFactsOf(joined, typeId),
    asSource: endBlockers(joined, { typeId, location: 'source' }),
    asDestination: [
      ...endBlockers(joined, { typeId, location: 'destination' }),
      ...headroomBlockers(fleet, joined, typeId),
    ],
    cautionsAsSource: isSilent ? [] : endCautions(joined, 'source'),
    cautionsAsDestination: isSilent ? [] : endCautions(joined, 'destination'),
  }
}

const verdictOf = (blockers: readonly MigrationBlocker[]): MigrationVerdict => {
  const sure = blockers.filter(({ isUnknown }) => !isUnknown)
  if (sure.some(({ isLasting }) => isLasting)) return 'blocked'
  if (sure.length > 0) return 'later'
  return blockers.length === 0 ? 'possible' : 'unknown'
}

type Group = { end: End; size: number }

const pairOf = (
  release: readonly MigrationBlocker[],
  [source, from]: readonly [number, Group],
  [destination, to]: readonly [number, Group],
): MigrationPair => {
  const isHidden = from.end.isSilent || to.end.isSilent
  const blockers = [
    ...release,
    ...from.end.asSource,
    ...to.end.asDestination,
    ...(isHidden ? [] : driverBlockers(from.end.driver, to.end.driver)),
    ...(from.end.rules === null || to.end.rules === null ? [] : pairBlockers(from.end.rules, to.end.rules)),
  ]
  return {
    source,
    destination,
    verdict: verdictOf(blockers),
    blockers,
    cautions: [...from.end.cautionsAsSource, ...to.end.cautionsAsDestination],
  }
}

/**
 * Whether servers with vGPUs of a type can be live-migrated between hosts. Hosts that are equal in all relevant facts are
 * one group, and the pairs are of groups, so their number grows with the kinds of hosts and not with the hosts.
 */
export const migrationMatrix = (fleet: Fleet, typeId: string): MigrationMatrix => {
  const of = hostsByType(fleet).get(typeId)
  const joined = (of?.hosts ?? []).toSorted((a, b) => naturalOrder(a.host.name, b.host.name))
  const groups: Group[] = []
  const indexes = new Map<string, number>()
  const hosts = joined.map((entry): MigrationHost => {
    const end = endOf(fleet, entry, typeId)
    const signature = JSON.stringify(end)
    const index = indexes.get(signature) ?? groups.push({ end, size: 0 }) - 1
    indexes.set(signature, index)
    const group = groups[index]
    if (group !== undefined) group.size += 1
    return {
      name: entry.host.name,
      group: index,
      isSilent: end.isSilent,
      driverVersion: entry.host.inventory.host.nvidiaDriverVersion,
      free: end.isSilent ? null : freeOfType(fleet, entry, typeId).value,
    }
  })
  const release = releaseBlockers(fleet, joined, typeId)
  const pairs = [...groups.entries()].flatMap((from) =>
    [...groups.entries()]
      .filter((to) => to[0] !== from[0] || from[1].size > 1)
      .map((to) => pairOf(release, from, to)),
  )
  return {
    typeId,
    typeName: of?.typeName ?? typeId,
    support: liveMigrationSupport(fleet, joined, typeId).sentence,
    hosts,
    groupCount: groups.length,
    pairs,
  }
}
