import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { pciLayoutNow } from '@/lib/domain/cloud/pci-layout'
import { gpuFlavorsOf, serversByGpus } from '@/lib/domain/headroom/gpu-flavors'
import { gpuHeadroom } from '@/lib/domain/headroom/gpu-headroom'
import { type HeadroomLine, headroomFor, hostLines, shortOf } from '@/lib/domain/headroom/headroom-lines'
import { linesAfter } from '@/lib/domain/headroom/lines-after'
import { plainNeeds } from '@/lib/domain/headroom/plain-needs'
import { worstCase } from '@/lib/domain/headroom/worst-case'
import { readCpuOptions, splitOf } from '@/lib/domain/nova-config/cpu-options'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { novaHas } from '@/lib/domain/nova-config/nova-releases'
import { malformedReason } from '../malformed/malformed'
import { malformedPci } from '../malformed/malformed-config'
import { usable } from './aggregate-input'
import { hostCpus } from './cpu-draft'
import type { ReservationCheck, ReservationFlavor, ReservationHost } from './preview'
import { emptyReservation, reservationPlan } from './reservation-plan'
import { secondServiceConfigs } from './second-service-texts'
import { landsOn } from './shut-flavors'
import type { ReservationPlan, SecondServiceInput } from './tasks'

type Division = {
  /** Of the host as one, and of the first service once there are two. */
  before: HeadroomLine[]
  first: HeadroomLine[]
  /** Of the second service, with the disk that both count. */
  second: HeadroomLine[]
}

/** What either service would have; null: options, CPUs or inventory of the host are not known. */
const divide = (joined: JoinedHost, input: SecondServiceInput): Division | null => {
  const config = joined.host.inventory.novaConfig
  const cpus = hostCpus(joined)
  const root = joined.root.value
  if (config === null || cpus === null || root === null || root.inventories === null) return null
  const options = readCpuOptions(config)
  const before = splitOf(options, cpus)
  const own = { ...options, shared: null, dedicated: null }
  const after = splitOf({ ...own, pinSet: input.sharedSet, reservedMemoryMib: input.memoryMib }, cpus)
  const theirs = splitOf({ ...own, pinSet: input.dedicatedSet, reservedCpus: 0 }, cpus)
  const empty = Object.fromEntries(
    Object.entries(root.inventories).map(([name, inventory]) => [
      name,
      name === 'DISK_GB' ? inventory : { ...inventory, used: 0 },
    ]),
  )
  const memory = root.inventories.MEMORY_MB
  // All memory of the host, so that the second service offers what is left of it.
  const reservedMemoryMib =
    before.reservedMemoryMib + (memory === undefined ? 0 : memory.capacity / (memory.allocationRatio ?? 1))
  return {
    before: hostLines(joined),
    first: linesAfter(root, { before, after }),
    second: linesAfter(
      { inventories: empty },
      { before, after: { ...theirs, reservedMemoryMib: reservedMemoryMib - input.memoryMib } },
    ),
  }
}

const flavorsOf = (
  fleet: Fleet,
  joined: JoinedHost,
  { before, first, second }: Division,
): ReservationFlavor[] => {
  const disk = worstCase(fleet, first, usable(fleet)).lines.find(({ name }) => name === 'DISK_GB')
  const worst = second.map((line) => (line.name === 'DISK_GB' ? (disk ?? line) : line))
  return gpuFlavorsOf(fleet).flatMap((flavor): ReservationFlavor[] => {
    const gpus = serversByGpus(fleet, joined, flavor)
    if (gpus === null) return []
    const [needs, max] = [plainNeeds(flavor), gpus.value ?? 0]
    return [
      {
        id: flavor.id,
        name: flavor.name,
        before: landsOn(fleet, joined, flavor) ? Math.min(max, headroomFor(before, needs)) : 0,
        after: Math.min(max, headroomFor(second, needs)),
        worst: Math.min(max, headroomFor(worst, needs)),
        short: shortOf(worst, needs),
      },
    ]
  })
}

const amountOf = (lines: readonly HeadroomLine[], name: HeadroomLine['name']): number =>
  lines.find((line) => line.name === name)?.capacity ?? 0

/** The host as its first service would report it, GPU servers as the second would take them, and both in one sentence. */
const secondServiceHeadroom = (
  fleet: Fleet,
  joined: JoinedHost,
  input: SecondServiceInput,
): { host: ReservationHost; costs: string[] } => {
  const stateBefore = gpuHeadroom(fleet, joined).state
  const division = divide(joined, input)
  if (division === null) {
    const before = hostLines(joined)
    return { host: { host: input.host, stateBefore, before, after: before, flavors: [] }, costs: [] }
  }
  const { before, first, second } = division
  return {
    host: {
      host: input.host,
      stateBefore,
      before,
      after: first,
      flavors: flavorsOf(fleet, joined, division),
    },
    costs: [
      `${input.secondHost} gets ${amountOf(second, 'VCPU')} VCPU and ${amountOf(second, 'MEMORY_MB')} MiB for GPU servers; ordinary servers get ${amountOf(first, 'VCPU')} VCPU and ${amountOf(first, 'MEMORY_MB')} MiB instead of ${amountOf(before, 'VCPU')} and ${amountOf(before, 'MEMORY_MB')}.`,
    ],
  }
}

/**
 * Why two nova-compute services can't share a hypervisor on this release; null where they can. From Ocata (15) on the scheduler
 * places by Placement, whose root provider is named by the hypervisor: the second service's would need the same name, which
 * Placement refuses (placement.duplicate_name). From 2023.1 (27) on nova-compute also keeps its uuid in a file of its state
 * path and does not start when the compute node of that uuid is another host's.
 */
export const whyNoSecondService = (novaVersion: string | null): string | null => {
  const isByPlacement = novaHas(novaVersion, 'placementScheduling')
  if (isByPlacement === null)
    return 'Nova has not reported its version, and two nova-compute services on one hypervisor work only up to Newton. Wait for the next reading round.'
  if (!isByPlacement) return null
  return `Two nova-compute services on one hypervisor work up to Newton (2.38), and this cloud has Nova ${novaVersion}: both report one hypervisor host name, Placement accepts one provider per name, and the second service never gets an inventory${novaHas(novaVersion, 'computeIdFile') === true ? '; since 2023.1, it does not start, because the file compute_id in its state path belongs to the first' : ''}. Split the CPUs, or exclude ordinary flavors with an aggregate.`
}

const overlapOf = ({ sharedSet, dedicatedSet }: SecondServiceInput): number[] => {
  const first = parseCpuSet(sharedSet)
  return [...parseCpuSet(dedicatedSet)].filter((cpu) => first.has(cpu))
}

const checks = (fleet: Fleet, joined: JoinedHost, input: SecondServiceInput): ReservationCheck[] => {
  const reason = whyNoSecondService(fleet.input.facts.versions.nova)
  const both = overlapOf(input)
  const [first, second] = [parseCpuSet(input.sharedSet).size, parseCpuSet(input.dedicatedSet).size]
  const services = fleet.input.facts.services.value ?? []
  const isTaken = services.some(({ host }) => host.toLowerCase() === input.secondHost.toLowerCase())
  const config = joined.host.inventory.novaConfig
  const cpus = hostCpus(joined)
  const now = config === null || cpus === null ? null : splitOf(readCpuOptions(config), cpus)
  return [
    {
      text:
        reason === null
          ? 'This release lets two nova-compute services share a hypervisor.'
          : 'Two nova-compute services with one hypervisor host name collide on this release.',
      isMet: reason === null,
      wayOut: reason,
    },
    {
      text: `Port binding fails for every server of ${input.secondHost}: no L2 agent of Neutron has that name; it runs as ${input.host}.`,
      isMet: false,
      wayOut: `This option requires a patch of Neutron's _bind_port that maps ${input.secondHost} to ${input.host}. The patch is unmaintained, so you must apply it again after each upgrade.`,
    },
    {
      text:
        both.length === 0
          ? `The two services count ${first} and ${second} CPUs, and no CPU twice.`
          : 'Both resource trackers count the same CPUs.',
      isMet: both.length === 0,
      wayOut: both.length === 0 ? null : `Remove CPU ${both.join(', ')} from one of the sets.`,
    },
    {
      text: `Each resource tracker sees all of the host's memory: the first must reserve the ${input.memoryMib} MiB that the second offers, and the second must reserve the rest.`,
      isMet: null,
      wayOut: `The texts set this; ${now === null ? 'nova.conf of the host could not be read' : `currently ${now.reservedMemoryMib} MiB are reserved`}.`,
    },
    {
      text: 'Both services count the disk: each reports the whole file system.',
      isMet: false,
      wayOut: 'Set a separate instances_path for the second service, or use volumes for GPU servers.',
    },
    {
      text: isTaken
        ? `Nova already has a nova-compute service ${input.secondHost}.`
        : `No nova-compute service has the name ${input.secondHost} yet.`,
      isMet: !isTaken,
      wayOut: isTaken ? 'Choose another name.' : null,
    },
  ]
}

/**
 * The method of Bright's article: a second nova-compute with its own nova-gpu.conf, host name and systemd unit. It is
 * explained with its problems and its texts, and refused if the release does not support it.
 */
export const planSecondService = (fleet: Fleet, input: SecondServiceInput): ReservationPlan => {
  const joined = fleet.hosts.find(({ host }) => host.name === input.host)
  const title = `A second nova-compute on ${input.host}`
  const reservation = emptyReservation('second-service')
  if (joined === undefined)
    return reservationPlan({
      title,
      reservation: { ...reservation, refusal: `No agent reports ${input.host}: choose another host.` },
    })
  const pci = pciLayoutNow(joined)
  const malformed = pci === null ? null : malformedPci(joined, pci)
  if (malformed !== null)
    return reservationPlan({
      title,
      reservation: { ...reservation, refusal: `${malformedReason(malformed)}.` },
    })
  const { host, costs } = secondServiceHeadroom(fleet, joined, input)
  const reason = whyNoSecondService(fleet.input.facts.versions.nova)
  return reservationPlan({
    title,
    reservation: {
      ...reservation,
      hosts: [host],
      costs: [
        ...costs,
        'CPUs and memory of the second service are idle while no GPU server runs.',
        'You must monitor, upgrade and disable two services on one host, and a reboot affects both.',
        'No live migration between the two: they share a hypervisor.',
        'Neutron needs your own patch.',
      ],
      checks: checks(fleet, joined, input),
      configs: secondServiceConfigs(joined, input),
      refusal:
        reason ??
        'The console plans no steps for this option, because it cannot check the required patch of Neutron. Apply the texts manually.',
    },
  })
}
