import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { uuidFrom } from '@/simulator/random/uuid-from'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { flavorOfDevice } from '@/simulator/world/new-guest'
import { SERVER_DISK_GIB } from '../compute/server-allocation'
import { offersOf } from '../compute/type-offers'
import type { Flavor } from '../nova/nova-state'
import { projectIdOf } from './accounts'

const flavor = (
  input: Pick<Flavor, 'name' | 'vcpus' | 'memoryMib' | 'extraSpecs'> & Partial<Flavor>,
): Flavor => ({
  id: uuidFrom(`flavor ${input.name}`),
  diskGib: SERVER_DISK_GIB,
  ephemeralGib: 0,
  swapMib: 0,
  isPublic: true,
  isDisabled: false,
  description: null,
  projectIds: [],
  ...input,
})

/** Without a GPU; every cloud has some. */
const PLAIN: Flavor[] = [
  flavor({ name: 'm1.small', vcpus: 1, memoryMib: 2048, extraSpecs: {} }),
  flavor({ name: 'm1.large', vcpus: 4, memoryMib: 8192, extraSpecs: {} }),
]

/** Types that a host has now, and those that it will be given. */
const variants = (host: FleetHost): FleetHost[] =>
  host.story.kind === 'retype'
    ? [host, { ...host, spec: { ...host.spec, nova: { ...host.spec.nova, types: host.story.others } } }]
    : [host]

const ofOffers = (host: FleetHost): Flavor[] =>
  variants(host)
    .flatMap(offersOf)
    .map(({ choice, extraSpecs }) => flavor({ ...flavorOfDevice(choice), extraSpecs }))

/** The alias that a host's nova.conf has for its whole cards, under either name of the option. */
const aliasOf = ({ nova }: HostSpec): string | null => {
  const lines = [...(nova.sections.pci ?? []), ...(nova.files ?? []).flatMap(({ text }) => text.split('\n'))]
  const line = lines.find((each) => /^(pci_)?alias\s*=/.test(each))
  return /"name"\s*:\s*"([^"]+)"/.exec(line ?? '')?.[1] ?? null
}

const specsOfGuest = (spec: HostSpec, guest: GuestSpec): Record<string, string> => {
  if (guest.mdevs.length > 0 && spec.nova.types.length > 0) return { 'resources:VGPU': '1' }
  const hasCard = spec.gpus.some(({ address }) => guest.pciDevices.includes(address))
  const alias = aliasOf(spec)
  return hasCard && alias !== null ? { gpu: 'true', 'pci_passthrough:alias': `${alias}:1` } : {}
}

/** Fixtures' guests have their own flavors. */
const ofGuest = (spec: HostSpec, guest: GuestSpec): Flavor[] => {
  if (guest.nova === null) return []
  return [
    flavor({
      name: guest.nova.flavorName,
      vcpus: guest.vcpus,
      memoryMib: guest.memoryMib,
      extraSpecs: specsOfGuest(spec, guest),
    }),
  ]
}

/**
 * Wants nearly all of a host in addition to one of its smallest vGPUs, so free vGPUs are out of its reach once others run there. Shared
 * with one project alone.
 */
const HIGH_MEMORY = {
  of: 'vgpu.m10-1q',
  name: 'vgpu.m10-1q.himem',
  vcpus: 16,
  memoryMib: 983_040,
  project: 'cfd-lab',
}

const highMemory = (flavors: ReadonlyMap<string, Flavor>): Flavor[] => {
  const { of, project, ...size } = HIGH_MEMORY
  const small = flavors.get(of)
  const access = { isPublic: false, projectIds: [projectIdOf(project)] }
  return small === undefined ? [] : [flavor({ ...size, ...access, extraSpecs: small.extraSpecs })]
}

/** A flavor per vGPU type and whole card that the fleet offers, with the trait that identifies the type. */
export const demoFlavors = (hosts: FleetHost[]): Flavor[] => {
  const byName = new Map<string, Flavor>(PLAIN.map((each) => [each.name, each]))
  const found = [
    ...hosts.flatMap(ofOffers),
    ...hosts.flatMap(({ spec }) => spec.guests.flatMap((guest) => ofGuest(spec, guest))),
  ]
  for (const each of found) if (!byName.has(each.name)) byName.set(each.name, each)
  return [...byName.values(), ...highMemory(byName)].sort((a, b) => (a.name < b.name ? -1 : 1))
}
