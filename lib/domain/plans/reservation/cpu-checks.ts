import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { ordinaryServers, plainText } from '@/lib/domain/headroom/gpu-headroom'
import { plainNeeds } from '@/lib/domain/headroom/plain-needs'
import { isRequired, type LimitView, limitView } from '@/lib/domain/limits/limit-view'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import type { CpuDraft } from './cpu-draft'
import { dedicatedFlavors, PINNED } from './pinned-flavor'
import type { ReservationCheck } from './preview'
import { shutChecks } from './shut-flavors'

const NAME = 'class:PCPU'

/** What a project that has only the default may have; null: unlimited. Undefined: the release is unknown. */
const defaultOf = (fleet: Fleet, { effective, isUnlimitedKnown }: LimitView): number | null | undefined => {
  const row = effective.get(NAME)
  if (row !== undefined) return row.defaultLimit === -1 && isUnlimitedKnown === true ? null : row.defaultLimit
  if (isUnlimitedKnown === null) return undefined
  return isUnlimitedKnown && !isRequired(fleet, NAME) ? null : 0
}

/**
 * Pinned servers count as class:PCPU under unified limits and no longer as class:VCPU (nova/limit/placement.py): a project
 * whose limit of it is too low is refused with 403. Null: limits in Keystone have no effect, or no flavor changes.
 */
const quotaCheck = (fleet: Fleet, { chosen }: Pick<CpuDraft, 'chosen'>): ReservationCheck | null => {
  const view = limitView(fleet)
  const changed = chosen.filter(({ extraSpecs }) => extraSpecs[PINNED.key] !== PINNED.value)
  if (view === null || changed.length === 0) return null
  const names = listText(changed.map(({ name }) => name))
  const counts = `New servers of ${names} count as ${NAME} in quotas, no longer as class:VCPU`
  const max = defaultOf(fleet, view)
  const wayOut = `On Quotas, set a limit of ${NAME} for the projects that use ${names}, or set [workarounds] unified_limits_count_pcpu_as_vcpu for Nova's API.`
  if (max === undefined)
    return {
      text: `${counts}. The limit of a project without a limit of ${NAME} depends on Nova's release, which could not be read.`,
      isMet: null,
      wayOut,
    }
  const [needed = 0] = changed
    .map((flavor) => {
      const { VCPU, PCPU } = plainNeeds(flavor)
      return VCPU + PCPU
    })
    .toSorted((a, b) => a - b)
  if (max === null || max >= needed)
    return {
      text: `${counts}. A project without its own limit can use ${max ?? 'any number'}.`,
      isMet: true,
      wayOut: null,
    }
  return {
    text: `${counts}. A project without its own limit can use ${max}, and Nova refuses its servers with 403.`,
    isMet: false,
    wayOut,
  }
}

const capacityOf = (lines: CpuDraft['lines']['after'], name: string) =>
  lines.find((line) => line.name === name) ?? { capacity: 0, used: 0 }

/** What the reservation costs others, one sentence each. */
export const cpuCosts = (fleet: Fleet, draft: CpuDraft): string[] => {
  const { lines, joined, chosen, splitAfter, moves, before } = draft
  const [was, is] = [capacityOf(lines.before, 'VCPU'), capacityOf(lines.after, 'VCPU')]
  const elsewhere = fleet.hosts.filter(
    (other) =>
      other !== joined &&
      (other.root.value?.inventories?.PCPU?.capacity ?? 0) === 0 &&
      chosen.some((flavor) => draft.landsOn(other, flavor)),
  )
  const floating = ordinaryServers(fleet, joined).length - moves.length
  return [
    `Ordinary servers get ${is.capacity} VCPU instead of ${was.capacity}${is.used > is.capacity ? `; ${is.used} are in use, so no server starts until some are deleted or migrated` : ''}.`,
    `${formatNoun(splitAfter.dedicated.size, 'CPU is', 'CPUs are')} idle while no GPU server runs.`,
    ...(floating > 0
      ? [
          `${formatNoun(floating, 'ordinary server that runs there uses', 'ordinary servers that run there use')} the dedicated CPUs until a hard reboot or a migration applies the new set.`,
        ]
      : []),
    ...(elsewhere.length > 0
      ? [
          `${listText(chosen.map(({ name }) => name))} can no longer be scheduled on ${listText(elsewhere.map(({ host }) => host.name))}, which ${elsewhere.length === 1 ? 'has' : 'have'} no cpu_dedicated_set. Split their CPUs too.`,
        ]
      : []),
    ...(before.pinSet === null
      ? []
      : [
          `vcpu_pin_set = ${before.pinSet} is removed: it is deprecated since Train, and nova-compute does not start with both it and cpu_dedicated_set.`,
        ]),
    ...(before.reservedCpus !== null && before.reservedCpus > 0
      ? [
          `reserved_host_cpus = ${before.reservedCpus} is removed: Nova does not accept it with CPU sets. CPUs in neither set are reserved for the host.`,
        ]
      : []),
    'Running servers keep their copy of the flavor: only new servers get dedicated CPUs.',
  ]
}

const numaCheck = ({ joined, splitAfter }: CpuDraft): ReservationCheck[] => {
  const nodes = joined.host.inventory.host.numaNodes ?? []
  const bare = nodes.filter(({ id, cpus }) => {
    const hasGpu = joined.pgpus.some(
      (entry) => entry.pgpu.numaNode === id && freeByHardware(entry).value !== 0,
    )
    return hasGpu && ![...parseCpuSet(cpus)].some((cpu) => splitAfter.dedicated.has(cpu))
  })
  if (nodes.length < 2) return []
  return [
    bare.length === 0
      ? { text: 'Each NUMA node with a GPU has dedicated CPUs.', isMet: true, wayOut: null }
      : {
          text: `NUMA node ${listText(bare.map(({ id }) => String(id)))} has a GPU and none of the dedicated CPUs: a server with dedicated CPUs and a whole card must find both on one node.`,
          isMet: false,
          wayOut: `Add some CPUs of ${listText(bare.map(({ cpus }) => cpus))} to cpu_dedicated_set, or set hw:pci_numa_affinity_policy=preferred in the flavor.`,
        },
  ]
}

const assured = ({ preview, lines, chosen, shut }: CpuDraft): ReservationCheck[] => {
  const wanted = preview.flavors.filter(
    ({ id }) =>
      (chosen.length === 0 || chosen.some((flavor) => flavor.id === id)) &&
      !shut.some((flavor) => flavor.id === id),
  )
  if (wanted.length === 0) return []
  const lost = wanted.filter(({ worst }) => worst === 0)
  const [first] = lost
  if (first === undefined)
    return [
      {
        text: 'Even if ordinary servers use all the capacity that they can, a GPU server has enough CPU, memory and disk.',
        isMet: true,
        wayOut: null,
      },
    ]
  const taker = first.short.map((name) => lines.worst.greediest[name]).find((name) => name !== undefined)
  return [
    {
      text: `CPU sets only split CPUs: ordinary servers${taker === undefined ? '' : `, such as those of ${taker},`} can still take the ${plainText(first.short)} that ${first.name} needs.`,
      isMet: false,
      wayOut:
        'Reduce cpu_shared_set so that fewer ordinary servers fit, or exclude ordinary flavors from the host with an aggregate.',
    },
  ]
}

/** What the reservation depends on. */
export const cpuChecks = (fleet: Fleet, draft: CpuDraft): ReservationCheck[] => {
  const others = dedicatedFlavors(fleet, { chosen: draft.chosen, hasGpu: false })
  const quota = quotaCheck(fleet, draft)
  return [
    ...assured(draft),
    ...shutChecks(draft.joined.host.name, draft.shut),
    others.length === 0
      ? { text: 'No flavor without a GPU requests dedicated CPUs.', isMet: true, wayOut: null }
      : {
          text: `${listText(others.map(({ name }) => name))} ${others.length === 1 ? 'requests' : 'request'} dedicated CPUs without a GPU and would use the reserved CPUs.`,
          isMet: false,
          wayOut:
            'Exclude these flavors from the host with an aggregate, or set hw:cpu_policy=shared in them.',
        },
    ...numaCheck(draft),
    ...(quota === null ? [] : [quota]),
  ]
}
