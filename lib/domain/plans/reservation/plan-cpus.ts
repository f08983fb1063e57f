import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { isGpuFlavor } from '@/lib/domain/headroom/gpu-flavors'
import { flavorOfServer } from '@/lib/domain/headroom/gpu-headroom'
import { plainNeeds } from '@/lib/domain/headroom/plain-needs'
import { isSameCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import { formatCpuSet, isCpuSet, parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { releaseOfMicroversion } from '@/lib/domain/nova-config/nova-releases'
import { listText } from '@/lib/domain/wording'
import { sh } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { extraSpecsStep } from '../flavor-steps/flavor-steps'
import { restartStep } from '../host-steps/host-steps'
import { closedReason, closeStep, openStep } from '../host-steps/service-steps'
import { malformedReason } from '../malformed/malformed'
import { malformedCpus } from '../malformed/malformed-config'
import { cpuChecks, cpuCosts } from './cpu-checks'
import { type CpuDraft, draftCpus } from './cpu-draft'
import { verifyHeadroomStep, writeCpuStep } from './cpu-steps'
import { cpuConfigs } from './cpu-texts'
import { moveOf, moveStep } from './move-servers'
import { dedicatedFlavors, PINNED } from './pinned-flavor'
import { emptyReservation, reservationPlan } from './reservation-plan'
import type { CpuInput, ReservationPlan, ReservationStep } from './tasks'

const overlap = ({ after }: CpuDraft): string | null => {
  const shared = parseCpuSet(after.shared ?? '')
  const both = [...parseCpuSet(after.dedicated ?? '')].filter((cpu) => shared.has(cpu))
  return both.length === 0
    ? null
    : `CPU ${formatCpuSet(both)} is in both sets, so nova-compute does not start. List each CPU in one set.`
}

const strangers = ({ after, cpus, joined }: CpuDraft): string | null => {
  const named = [...parseCpuSet(after.shared ?? ''), ...parseCpuSet(after.dedicated ?? '')]
  const foreign = named.filter((cpu) => !cpus.has(cpu))
  return foreign.length === 0
    ? null
    : `${joined.host.name} has no CPU ${formatCpuSet(foreign)}, only ${formatCpuSet(cpus)}. List existing CPUs.`
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
    : `${listText(pinnedServers.map(({ name }) => name))} of ${joined.host.name} ${pinnedServers.length === 1 ? 'has' : 'have'} dedicated CPUs, and nova-compute does not start if these are removed from cpu_dedicated_set. Keep ${formatCpuSet(held)} in it, or migrate these servers first.`
}

const chosenReason = (fleet: Fleet, { chosen, joined, servedBy }: CpuDraft): string | null => {
  const plain = chosen.find((flavor) => !isGpuFlavor(fleet, flavor))
  if (plain !== undefined)
    return `${plain.name} requests no GPU, so it must not use the reserved CPUs. Deselect it.`
  const other = chosen.find((flavor) => !servedBy(joined, flavor))
  if (other !== undefined)
    return `${other.name} requests a GPU that ${joined.host.name} does not have. Deselect it.`
  const mixed = chosen.find(({ extraSpecs }) => extraSpecs[PINNED.key] === 'mixed')
  return mixed === undefined
    ? null
    : `${mixed.name} has ${PINNED.key}=mixed, which uses CPUs of both sets. Deselect it, or change it manually.`
}

/** Why the CPUs of a host can't be divided so; null when they can. */
const whyNotCpus = (fleet: Fleet, draft: CpuDraft): string | null => {
  const { joined, chosen, isHopeless } = draft
  if (releaseOfMicroversion(fleet.input.facts.versions.nova) === null)
    return 'Nova has not reported its version, or it is older than Ussuri. cpu_dedicated_set requires Train or newer. Wait for the next reading round, or set vcpu_pin_set manually.'
  const reason = overlap(draft) ?? strangers(draft) ?? chosenReason(fleet, draft) ?? heldCpus(draft)
  if (reason !== null) return reason
  if (dedicatedFlavors(fleet, { chosen, hasGpu: true }).length === 0)
    return `No GPU flavor would request dedicated CPUs, so the reserved CPUs could not be used. Select the flavors that get ${PINNED.key}=${PINNED.value}.`
  if (isHopeless)
    return `Even without ordinary servers, ${joined.host.name} has no capacity for a GPU server. Reserve more CPUs, reserve less memory, or create a smaller flavor.`
  const isSame = isSameCpuOptions(draft.before, draft.after)
  const isPinned = chosen.every(({ extraSpecs }) => extraSpecs[PINNED.key] === PINNED.value)
  return isSame && isPinned && draft.moves.length === 0
    ? `${joined.host.name} already reserves ${formatNoun(draft.splitAfter.dedicated.size, 'CPU')} for GPU servers. There is nothing to do.`
    : null
}

const flavorSteps = (chosen: readonly Flavor[]): ReservationStep[] =>
  chosen
    .filter(({ extraSpecs }) => extraSpecs[PINNED.key] !== PINNED.value)
    .map(({ id, name, extraSpecs }) =>
      extraSpecsStep({ flavorId: id, flavorName: name }, [
        { key: PINNED.key, seen: extraSpecs[PINNED.key] ?? null, wanted: PINNED.value },
      ]),
    )

const configSteps = (draft: CpuDraft): ReservationStep[] =>
  isSameCpuOptions(draft.before, draft.after)
    ? []
    : [
        restartStep(draft, { direction: 'back', what: 'CPU sets' }),
        writeCpuStep(draft),
        restartStep(draft, { direction: 'on', what: 'CPU sets' }),
        verifyHeadroomStep(draft),
      ]

const steps = (fleet: Fleet, draft: CpuDraft, reason: string): ReservationStep[] => {
  const { joined, moves, chosen } = draft
  const isClosing = moves.length > 0 && joined.service.value?.status === 'enabled'
  const held = { reason, verify: [], moves: moves.map(({ server: { uuid, name } }) => ({ uuid, name })) }
  const open = openStep(joined, held)
  return [
    ...(isClosing ? [closeStep(joined, held)] : []),
    ...moves.map((movable) => moveStep(fleet, joined, movable)),
    ...configSteps(draft),
    ...flavorSteps(chosen),
    ...(isClosing
      ? [
          {
            ...open,
            precondition: 'The servers are migrated, all steps above are done, and nova-compute is up.',
            undo: 'None: migrated servers stay on their new host, and no other reverted step needs disabled scheduling.',
            undoCommand: sh`:`,
          },
        ]
      : []),
  ]
}

const chosenFlavors = ({ input }: Fleet, { flavorIds }: CpuInput): Flavor[] =>
  (input.facts.flavors.value ?? []).filter(({ id }) => flavorIds.includes(id))

/** Hosts with GPUs of a flavor on which dedicated CPUs are available. */
const hostsWith = (fleet: Fleet, isOffered: (joined: JoinedHost) => boolean): number =>
  fleet.hosts.filter(isOffered).length

const titleOf = ({ host }: CpuInput): string => `CPUs for GPU servers on ${host}`

/**
 * Plan that reserves CPUs for GPU servers within one nova-compute: ordinary servers share `cpu_shared_set`, and GPU
 * flavors request dedicated CPUs, which no other flavor uses. The old `vcpu_pin_set` is removed. Memory is not divided,
 * which the preview states.
 */
export const planCpus = (fleet: Fleet, input: CpuInput): ReservationPlan => {
  const joined = fleet.hosts.find(({ host }) => host.name === input.host)
  const reservation = emptyReservation('cpus')
  const refused = (refusal: string): ReservationPlan =>
    reservationPlan({ title: titleOf(input), reservation: { ...reservation, refusal } })
  if (joined === undefined) return refused(`No agent reports ${input.host}: choose another host.`)
  if (!isCpuSet(input.sharedSet)) return refused(notASet('cpu_shared_set', input.sharedSet))
  if (!isCpuSet(input.dedicatedSet)) return refused(notASet('cpu_dedicated_set', input.dedicatedSet))
  const chosen = chosenFlavors(fleet, input)
  const { draft, reason } = draftCpus(fleet, joined, { input, chosen })
  if (draft === null) return refused(reason)
  const malformed = malformedCpus(joined)
  if (malformed !== null) return refused(`${malformedReason(malformed)}.`)
  const config = joined.host.inventory.novaConfig
  const preview = {
    ...reservation,
    hosts: [draft.preview],
    costs: cpuCosts(fleet, draft),
    checks: cpuChecks(fleet, draft),
    flavors: chosen.map((flavor) => ({
      id: flavor.id,
      name: flavor.name,
      ...PINNED,
      hostsBefore: hostsWith(fleet, (other) => draft.landsOn(other, flavor)),
      hostsAfter: hostsWith(
        fleet,
        (other) =>
          draft.landsOn(other, flavor) &&
          (other === joined || (other.root.value?.inventories?.PCPU?.capacity ?? 0) > 0),
      ),
    })),
    moves: draft.moves.map((movable) => moveOf(fleet, movable)),
    configs: config === null ? [] : cpuConfigs(input.host, config, draft.after),
  }
  const refusal = whyNotCpus(fleet, draft)
  if (refusal !== null)
    return reservationPlan({ title: titleOf(input), reservation: { ...preview, refusal } })
  const title = titleOf(input)
  return reservationPlan({
    title,
    reservation: preview,
    steps: steps(fleet, draft, closedReason(title)),
    targets: joined.pgpus.map(({ pgpu }) => ({ host: input.host, address: pgpu.address })),
  })
}

const notASet = (name: string, text: string): string =>
  `${name} is "${text}", but it must be a list of CPUs, for example 0-11,24-35. Enter at least one CPU.`
