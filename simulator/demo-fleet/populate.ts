import { removeGuest, setGuestState } from '@/simulator/host/change-guests'
import { deviceChoices } from '@/simulator/host/choose-device'
import { spawnGuest } from '@/simulator/host/spawn-guest'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { Random } from '@/simulator/random/random'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { gpuGuests, hostCapacity } from '@/simulator/world/host-use'
import { newGuest } from '@/simulator/world/new-guest'
import { PROJECTS } from '@/simulator/world/projects'

export type Population = {
  random: Random
  takenNames: Set<string>
  nextInstanceNumber: () => number
  startAt: Date
}

const withServer = (spec: HostSpec, host: FleetHost, population: Population): HostSpec => {
  const { random } = population
  const choice = random.pick(deviceChoices(spec, host.plan))
  const projectName = random.pick(host.projects)
  if (choice === undefined || projectName === undefined) return spec
  const guest = newGuest({
    choice,
    project: PROJECTS[projectName],
    takenNames: population.takenNames,
    instanceNumber: population.nextInstanceNumber(),
    createdAt: new Date(population.startAt.getTime() - random.between(1, 60 * 24 * 40) * 60_000),
    random,
  })
  population.takenNames.add(guest.nova?.serverName ?? guest.name)
  const outcome = spawnGuest(spec, guest, choice, random.uuid())
  return outcome.isDone ? outcome.spec : spec
}

/** Deleting a few of the servers leaves the spares that every lived-in host has. */
const withSomeGone = (spec: HostSpec, count: number, random: Random): HostSpec => {
  let current = spec
  for (let index = 0; index < count; index += 1) {
    const guest = random.pick(gpuGuests(current))
    const outcome = guest === undefined ? null : removeGuest(current, guest.uuid)
    if (outcome?.isDone === true) current = outcome.spec
  }
  return current
}

const withSomeOff = (spec: HostSpec, random: Random): HostSpec =>
  gpuGuests(spec).reduce((current, guest) => {
    const outcome = random.chance(1 / 14) ? setGuestState(current, guest.uuid, 'shutoff') : null
    return outcome?.isDone === true ? outcome.spec : current
  }, spec)

/** A host that has been in use for weeks: filled to about `use` of its capacity, with spares and servers that are off. */
export const populate = (host: FleetHost, use: number, population: Population): FleetHost => {
  const capacity = hostCapacity(host.spec, host.plan)
  const spares = Math.round(capacity * 0.06)
  const wanted = Math.round(capacity * use)
  let spec = host.spec
  for (let tries = 0; gpuGuests(spec).length < wanted + spares && tries < capacity * 2; tries += 1) {
    spec = withServer(spec, host, population)
  }
  spec = withSomeGone(spec, Math.max(0, gpuGuests(spec).length - wanted), population.random)
  return { ...host, spec: withSomeOff(spec, population.random) }
}
