import type { LivingHost } from '@/simulator/host/living-host'
import type { OpenStackSimulator } from '@/simulator/openstack/start-openstack'
import { headroomOf } from './headroom-of'
import { keystoneSnapshot } from './keystone-snapshot'
import { mdevsOf } from './mdevs-of'
import { novaSnapshot } from './nova-snapshot'
import { providerConfigsOf } from './provider-configs'

/** What changes may touch; equal before a change and after its undo. */
export type ChangeSnapshot = {
  /** Traits of every provider, by its name. */
  providers: Record<string, readonly string[]>
  /** All custom traits that Placement knows. */
  traits: string[]
  /** `type on parent` by uuid, with its definition's start. */
  mdevs: Record<string, string>
  /** Of each card whose driver is not NVIDIA's. */
  drivers: Record<string, string | null>
  /** VFs that are on, of each card that can have some. */
  vfs: Record<string, number>
  /** Of hosts that have any. */
  providerConfigs: Record<string, string>
  /** `trait of provider` for what the console keeps. */
  managed: string[]
  /** What a person may change of each flavor, and of each aggregate, by name. */
  flavors: Record<string, unknown>
  aggregates: Record<string, unknown>
  /** `VCPU 128, PCPU 0` of each compute node, by its name. */
  headrooms: Record<string, string>
  /** Keystone's limits by what they are of, and who has which role on the system. */
  limits: Record<string, number>
  systemRoles: string[]
}

const driversOf = (hosts: readonly LivingHost[]): Record<string, string | null> =>
  Object.fromEntries(
    hosts.flatMap(({ name, spec }) =>
      spec()
        .gpus.filter(({ driver }) => driver !== 'nvidia')
        .map(({ address, driver }) => [`${name} ${address}`, driver]),
    ),
  )

const vfsOf = (hosts: readonly LivingHost[]): Record<string, number> =>
  Object.fromEntries(
    hosts.flatMap(({ name, spec }) =>
      spec().gpus.flatMap(({ address, sriov }) =>
        sriov === null ? [] : [[`${name} ${address}`, sriov.enabledVfs]],
      ),
    ),
  )

export const snapshotOf = ({
  managed,
  openstack,
  first,
}: {
  managed: readonly { trait: string; providerName: string }[]
  openstack: OpenStackSimulator
  /** uuids of the mdevs that were there. */
  first: ReadonlySet<string>
}): ChangeSnapshot => {
  const { placement } = openstack.cloud
  const providers = [...placement.providers.values()].map(
    ({ name, traits }) => [name, [...traits].toSorted()] as const,
  )
  const living = openstack.world.hosts.map((host) => host.living)
  return {
    providers: Object.fromEntries(providers),
    traits: [...placement.customTraits].toSorted(),
    managed: managed.map(({ trait, providerName }) => `${trait} of ${providerName}`),
    mdevs: mdevsOf(living, first),
    drivers: driversOf(living),
    vfs: vfsOf(living),
    providerConfigs: providerConfigsOf(living),
    ...novaSnapshot(openstack.cloud.nova),
    headrooms: headroomOf(openstack.cloud.placement),
    ...keystoneSnapshot(openstack.cloud.keystone),
  }
}
