import { type ExpectedParent, expectedParents } from './expected-providers'
import type { Fleet, JoinedHost, JoinedPgpu } from './fleet-types'
import type { Server } from './types'
import { freeForVfs, type VfPromise } from './vf-promise'

/** The source to correct where the sources of a pGPU disagree. Findings and the panel of the sources use it. */
export type SourceToCorrect = 'hardware' | 'nova.conf' | 'placement' | 'libvirt'

/** Servers hold vGPUs of a type that nova.conf does not name for the card: then nova.conf is wrong, or too early. */
export const isHeldByOthers = (joined: JoinedHost, { pgpu }: JoinedPgpu): boolean => {
  const named = new Set((expectedParents(joined, pgpu.address) ?? []).map(({ typeId }) => typeId))
  if (pgpu.configuredType !== null) named.add(pgpu.configuredType.typeId)
  return pgpu.cells.some(({ kind, typeId }) => kind === 'used' && typeId !== null && !named.has(typeId))
}

/** SR-IOV: more stand in Placement than fit on the card of this very type, since every free VF counts as one. */
export const isOverPromised = ({ pgpu }: JoinedPgpu, total: number | null): total is number => {
  const { configuredType, currentType, framework, numbers } = pgpu
  const isSame = configuredType !== null && currentType?.typeId === configuredType.typeId
  const capacity = numbers.capacity.value
  return framework === 'mdev-sriov' && isSame && total !== null && capacity !== null && total > capacity
}

/** nova.conf lists no more VFs than fit: what is too much in Placement then is not Nova's. */
export const sourceOfOverPromise = (
  { pgpu }: JoinedPgpu,
  parents: readonly ExpectedParent[],
): SourceToCorrect =>
  parents.length > 0 && parents.length <= (pgpu.numbers.capacity.value ?? 0) ? 'placement' : 'nova.conf'

/** A total that is not what Nova would count now. */
export const sourceOfOldTotal = (joined: JoinedHost, entry: JoinedPgpu): SourceToCorrect =>
  isHeldByOthers(joined, entry) ? 'nova.conf' : 'placement'

/**
 * For VFs that are offered for passthrough without a type: nova.conf if the card takes no more vGPUs, else the hardware
 * settings.
 */
export const sourceOfUntypedVfs = (entry: JoinedPgpu, promise: VfPromise): SourceToCorrect =>
  freeForVfs(entry, promise) === 0 ? 'nova.conf' : 'hardware'

/** vGPUs of another type than nova.conf names: of servers, or left behind. */
export const sourceOfType = (isInUse: boolean): SourceToCorrect => (isInUse ? 'nova.conf' : 'hardware')

const isHere = (joined: JoinedHost, server: Server): boolean =>
  server.host?.toLowerCase() === (joined.service.value?.host ?? joined.host.name).toLowerCase()

/** An allocation of a server without a guest that holds a vGPU: of one that runs here, libvirt lost it. */
export const sourceOfLostGuest = (joined: JoinedHost, server: Server): SourceToCorrect =>
  isHere(joined, server) ? 'libvirt' : 'placement'

const holdsVgpu = ({ host }: JoinedHost, uuid: string): boolean =>
  host.description.guests?.some(
    ({ guestUuid, pgpuAddresses }) => guestUuid === uuid && pgpuAddresses.length > 0,
  ) === true

/** Allocated and held differ in number: what Placement has too much is libvirt's when all of it is of servers that run here. */
export const sourceOfUse = (
  fleet: Fleet,
  joined: JoinedHost,
  { entry, used, allocated }: { entry: JoinedPgpu; used: number; allocated: number },
): SourceToCorrect => {
  if (allocated < used) return 'placement'
  const lost = entry.providers
    .flatMap(({ provider }) => fleet.allocationsByProvider.get(provider.uuid) ?? [])
    .filter(({ consumerUuid }) => !holdsVgpu(joined, consumerUuid))
    .map(({ consumerUuid }) => fleet.servers.get(consumerUuid))
  const isLibvirt =
    lost.length > 0 &&
    lost.every((server) => server !== undefined && sourceOfLostGuest(joined, server) === 'libvirt')
  return isLibvirt ? 'libvirt' : 'placement'
}
