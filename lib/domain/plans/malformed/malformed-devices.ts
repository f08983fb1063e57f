import type { GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import type { GpuDevice, Mdev } from '@/lib/schemas/agent/inventory'
import { firstMalformed, type Malformed, malformed } from './malformed'

const REPORTED = 'check the host and its agent'

/** Of a GPU and the other functions of its card: names of drivers that a plan writes into commands. */
export const malformedDrivers = (
  { host }: JoinedHost,
  { pgpu }: JoinedPgpu,
  functions: readonly Pick<GpuDevice, 'address' | 'driver'>[],
): Malformed | null =>
  firstMalformed(
    [{ address: pgpu.address, driver: pgpu.driver }, ...functions].map(
      ({ address, driver }) =>
        () =>
          malformed('driver', driver, {
            origin: `The driver of ${address}, as the agent of ${host.name} reports it,`,
            remedy: REPORTED,
          }),
    ),
  )

/** Of an mdev that a plan removes or recreates. */
export const malformedMdev = (
  { host }: JoinedHost,
  { uuid, parent, typeId, definition }: Mdev,
): Malformed | null => {
  const of = (what: string) => ({
    origin: `The ${what} of mdev ${uuid}, as the agent of ${host.name} reports it,`,
    remedy: REPORTED,
  })
  return firstMalformed([
    () => malformed('mdevParent', parent, of('parent')),
    () => malformed('vgpuTypeId', typeId, of('type')),
    () => malformed('vgpuTypeId', definition?.typeId ?? null, of('type in the definition')),
    () => malformed('path', definition?.path ?? null, of('path of the definition')),
  ])
}

/** Of the mdevs on a pGPU. */
export const malformedMdevs = (joined: JoinedHost, { functions }: JoinedPgpu): Malformed | null =>
  firstMalformed(
    (joined.host.inventory.mdevs ?? [])
      .filter(({ parent }) => functions.includes(parent))
      .map((mdev) => () => malformedMdev(joined, mdev)),
  )

/** Of the providers of a pGPU, whose lists of traits a plan writes. */
export const malformedProviders = ({ providers }: JoinedPgpu): Malformed | null =>
  firstMalformed(providers.flatMap(({ provider }) => ofProvider(provider)))

const ofProvider = ({ name, traits, inventories }: GpuProvider['provider']) => {
  const of = (what: string) => ({
    origin: `The ${what} of the resource provider ${name} in Placement`,
    remedy: 'check Placement',
  })
  return [
    ...(traits ?? []).map((trait) => () => malformed('trait', trait, of('trait'))),
    ...Object.keys(inventories ?? {}).map(
      (resourceClass) => () => malformed('resourceClass', resourceClass, of('resource class')),
    ),
  ]
}
