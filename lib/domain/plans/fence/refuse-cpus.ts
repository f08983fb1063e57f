import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { isGpuFlavor } from '@/lib/domain/fence/gpu-flavors'
import { flavorOfServer } from '@/lib/domain/fence/gpu-room'
import { plainNeeds } from '@/lib/domain/fence/plain-needs'
import { isSameCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import { formatCpuSet, parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { releaseOfMicroversion } from '@/lib/domain/nova-config/nova-releases'
import { listText, plural } from '@/lib/domain/wording'
import type { CpuDraft } from './cpu-draft'
import { dedicatedFlavors, PINNED } from './pinned-flavor'

const overlap = ({ after }: CpuDraft): string | null => {
  const shared = parseCpuSet(after.shared ?? '')
  const both = [...parseCpuSet(after.dedicated ?? '')].filter((cpu) => shared.has(cpu))
  return both.length === 0
    ? null
    : `CPU ${formatCpuSet(both)} stands in both sets, and nova-compute does not start with that: leave each CPU in one.`
}

const strangers = ({ after, cpus, joined }: CpuDraft): string | null => {
  const named = [...parseCpuSet(after.shared ?? ''), ...parseCpuSet(after.dedicated ?? '')]
  const foreign = named.filter((cpu) => !cpus.has(cpu))
  return foreign.length === 0
    ? null
    : `${joined.host.name} has no CPU ${formatCpuSet(foreign)}, it has ${formatCpuSet(cpus)}: name those that are there.`
}

/** A pinned server's CPUs must stay in the dedicated set (nova/compute/manager.py _validate_pinning_configuration). */
const heldCpus = ({ joined, splitBefore, splitAfter, before }: CpuDraft): string | null => {
  const pinnedServers = joined.servers.filter((server) => {
    const flavor = flavorOfServer(server)
    return flavor !== null && plainNeeds(flavor).PCPU > 0
  })
  if (pinnedServers.length === 0) return null
  // Under the old option pinned servers took any of its CPUs.
  const held = before.dedicated === null ? splitBefore.shared : splitBefore.dedicated
  const lost = [...held].filter((cpu) => !splitAfter.dedicated.has(cpu))
  return lost.length === 0
    ? null
    : `${listText(pinnedServers.map(({ name }) => name))} of ${joined.host.name} ${pinnedServers.length === 1 ? 'has' : 'have'} CPUs of their own, and nova-compute does not start when those leave cpu_dedicated_set: keep ${formatCpuSet(held)} in it, or move these servers away first.`
}

const chosenReason = (fleet: Fleet, { chosen, joined, servedBy }: CpuDraft): string | null => {
  const plain = chosen.find((flavor) => !isGpuFlavor(fleet, flavor))
  if (plain !== undefined)
    return `${plain.name} asks for no GPU, so it must not take the CPUs that are kept: leave it out.`
  const other = chosen.find((flavor) => !servedBy(joined, flavor))
  if (other !== undefined)
    return `${other.name} asks for a GPU that ${joined.host.name} does not have: leave it out.`
  const mixed = chosen.find(({ extraSpecs }) => extraSpecs[PINNED.key] === 'mixed')
  return mixed === undefined
    ? null
    : `${mixed.name} has ${PINNED.key}=mixed, which takes CPUs of both sets: leave it out, or change it by hand.`
}

/** Why the CPUs of a host can't be divided so; null when they can. */
export const whyNotCpus = (fleet: Fleet, draft: CpuDraft): string | null => {
  const { joined, chosen, isHopeless } = draft
  if (releaseOfMicroversion(fleet.input.facts.versions.nova) === null)
    return 'Nova has not told its version, or it is older than Ussuri: cpu_dedicated_set is there from Train on. Wait for the next reading, or use vcpu_pin_set by hand.'
  const reason = overlap(draft) ?? strangers(draft) ?? chosenReason(fleet, draft) ?? heldCpus(draft)
  if (reason !== null) return reason
  if (dedicatedFlavors(fleet, { chosen, hasGpu: true }).length === 0)
    return `No GPU flavor would ask for dedicated CPUs, so nobody could use those that are kept: choose the flavors that are to have ${PINNED.key}=${PINNED.value}.`
  if (isHopeless)
    return `Even without its ordinary servers ${joined.host.name} has no room for one GPU server: set more CPUs apart, reserve less memory, or make a smaller flavor.`
  const isSame = isSameCpuOptions(draft.before, draft.after)
  const isPinned = chosen.every(({ extraSpecs }) => extraSpecs[PINNED.key] === PINNED.value)
  return isSame && isPinned && draft.moves.length === 0
    ? `${joined.host.name} keeps ${plural(draft.splitAfter.dedicated.size, 'CPU', 'CPUs')} for GPU servers already: there is nothing to do.`
    : null
}
