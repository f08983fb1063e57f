import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { isSameCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import { isCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { sh } from '@/lib/util/encode/shell'
import { extraSpecsStep } from '../flavor-steps/flavor-steps'
import { restartStep } from '../host-steps/host-steps'
import { closedReason, closeStep, openStep } from '../host-steps/service-steps'
import { malformedReason } from '../malformed/malformed'
import { malformedCpus } from '../malformed/malformed-config'
import { cpuChecks, cpuCosts } from './cpu-checks'
import { type CpuDraft, draftCpus } from './cpu-draft'
import { verifyRoomStep, writeCpuStep } from './cpu-steps'
import { cpuConfigs } from './cpu-texts'
import { emptyFence, fencePlan } from './fence-plan'
import { moveOf, moveStep } from './move-servers'
import { PINNED } from './pinned-flavor'
import { whyNotCpus } from './refuse-cpus'
import type { CpuWish, ReservationPlan, ReservationStep } from './tasks'

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
        verifyRoomStep(draft),
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
            precondition: 'The servers have left, everything above is done, and nova-compute is up.',
            undo: 'None: what has moved stays where it went, and nothing else that is taken back needs a closed host.',
            undoCommand: sh`:`,
          },
        ]
      : []),
  ]
}

const chosenFlavors = ({ input }: Fleet, { flavorIds }: CpuWish): Flavor[] =>
  (input.facts.flavors.value ?? []).filter(({ id }) => flavorIds.includes(id))

/** Hosts with GPUs of a flavor on which dedicated CPUs are available. */
const hostsWith = (fleet: Fleet, isOffered: (joined: JoinedHost) => boolean): number =>
  fleet.hosts.filter(isOffered).length

const titleOf = ({ host }: CpuWish): string => `CPUs for GPU servers on ${host}`

/**
 * Plan that reserves CPUs for GPU servers within one nova-compute: ordinary servers share `cpu_shared_set`, and GPU
 * flavors request dedicated CPUs, which no other flavor uses. The old `vcpu_pin_set` is removed. Memory is not divided,
 * which the preview states.
 */
export const planCpus = (fleet: Fleet, wish: CpuWish): ReservationPlan => {
  const joined = fleet.hosts.find(({ host }) => host.name === wish.host)
  const fence = emptyFence('cpus')
  const refused = (refusal: string): ReservationPlan =>
    fencePlan({ title: titleOf(wish), fence: { ...fence, refusal } })
  if (joined === undefined) return refused(`No agent reports ${wish.host}: choose another host.`)
  if (!isCpuSet(wish.sharedSet)) return refused(notASet('cpu_shared_set', wish.sharedSet))
  if (!isCpuSet(wish.dedicatedSet)) return refused(notASet('cpu_dedicated_set', wish.dedicatedSet))
  const chosen = chosenFlavors(fleet, wish)
  const { draft, reason } = draftCpus(fleet, joined, { wish, chosen })
  if (draft === null) return refused(reason)
  const malformed = malformedCpus(joined)
  if (malformed !== null) return refused(`${malformedReason(malformed)}.`)
  const config = joined.host.inventory.novaConfig
  const preview = {
    ...fence,
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
    configs: config === null ? [] : cpuConfigs(wish.host, config, draft.after),
  }
  const refusal = whyNotCpus(fleet, draft)
  if (refusal !== null) return fencePlan({ title: titleOf(wish), fence: { ...preview, refusal } })
  const title = titleOf(wish)
  return fencePlan({
    title,
    fence: preview,
    steps: steps(fleet, draft, closedReason(title)),
    targets: joined.pgpus.map(({ pgpu }) => ({ host: wish.host, address: pgpu.address })),
  })
}

const notASet = (name: string, text: string): string =>
  `${name} is "${text}", and it must be a list of CPUs such as 0-11,24-35: write at least one CPU.`
