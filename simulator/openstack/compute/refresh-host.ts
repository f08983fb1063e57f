import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { Cloud } from '../cloud'
import { ApiError } from '../http/api-error'
import { addProvider, removeProvider, replaceInventories, replaceTraits } from '../placement/change-providers'
import { type Inventory, type Provider, providerNamed } from '../placement/placement-state'
import { isStandardTrait } from '../placement/standard-names'
import { hypervisorHostname, mdevProviderName, novaRelease, pciProviderName } from './compute-host'
import { pciPools } from './device-specs'
import { mdevTotals } from './mdev-totals'
import { deviceInventory, rootInventories } from './root-inventory'
import { traitOfSlot } from './type-trait'

export type RefreshOptions = {
  /** Whether provider_config puts the type's trait on each pGPU again and again; else traits are only set manually. */
  keepsTraits: boolean
  /** Receives what Placement refused; nova-compute logs it and continues. */
  onRefused: (error: ApiError) => void
}

const isSame = (a: Map<string, Inventory>, b: Map<string, Inventory>): boolean =>
  JSON.stringify([...a]) === JSON.stringify([...b])

const setInventories = (cloud: Cloud, provider: Provider, wanted: Map<string, Inventory>): void => {
  for (const name of wanted.keys()) if (name.startsWith('CUSTOM_')) cloud.placement.customClasses.add(name)
  if (!isSame(provider.inventories, wanted)) replaceInventories(cloud.placement, provider, wanted)
}

const ensureProvider = (cloud: Cloud, name: string, parentUuid: string | null, uuid?: string): Provider =>
  providerNamed(cloud.placement, name) ??
  addProvider(cloud.placement, { uuid: uuid ?? cloud.newUuid(), name, parentUuid })

const ROOT_TRAITS = ['COMPUTE_NODE', 'COMPUTE_DEVICE_TAGGING', 'COMPUTE_TRUSTED_CERTS', 'HW_CPU_X86_VMX']

/** Nova manages its own traits of the root and leaves foreign CUSTOM_ ones alone. */
const rootTraits = (present: Set<string>, isDisabled: boolean): Set<string> =>
  new Set([
    ...[...present].filter((name) => !isStandardTrait(name)),
    ...ROOT_TRAITS,
    ...(isDisabled ? ['COMPUTE_STATUS_DISABLED'] : []),
  ])

const isTypeTrait = (name: string): boolean => name.startsWith('CUSTOM_')

/** A type's trait on its pGPU, in place of one of another type. */
export const tagProvider = (cloud: Cloud, provider: Provider, trait: string): void => {
  cloud.placement.customTraits.add(trait)
  replaceTraits(provider, new Set([...[...provider.traits].filter((name) => !isTypeTrait(name)), trait]))
}

/** Provider config adds and takes nothing off (nova/compute/resource_tracker.py _merge_provider_configs). */
const addConfiguredTraits = (cloud: Cloud, { nova }: HostSpec, provider: Provider): void => {
  const traits = (nova.providerTraits ?? []).flatMap((one) =>
    one.provider === provider.name ? one.traits : [],
  )
  if (traits.every((trait) => provider.traits.has(trait))) return
  for (const trait of traits) cloud.placement.customTraits.add(trait)
  replaceTraits(provider, new Set([...provider.traits, ...traits]))
}

const refreshMdevs = (cloud: Cloud, spec: HostSpec, root: Provider, options: RefreshOptions): void => {
  for (const { slot, typeId, resourceClass, total } of mdevTotals(spec)) {
    const name = mdevProviderName(spec, slot)
    const present = providerNamed(cloud.placement, name)
    attempt(options, () => {
      if (total === 0) {
        // Seen in the lab: Nova 26 passes over such a parent, and its old total stays; Nova with max_instances takes it out.
        if (present !== undefined && novaRelease(spec) >= 29) removeProvider(cloud.placement, present)
        return
      }
      const provider = present ?? ensureProvider(cloud, name, root.uuid)
      setInventories(cloud, provider, new Map([[resourceClass, deviceInventory(total)]]))
      if (options.keepsTraits && !cloud.handTagged.has(name))
        tagProvider(cloud, provider, traitOfSlot(spec, slot, typeId))
      addConfiguredTraits(cloud, spec, provider)
    })
  }
}

/** Nova's own list every time: foreign traits do not stay on providers of PCI devices. */
const refreshPci = (cloud: Cloud, spec: HostSpec, root: Provider, options: RefreshOptions): void => {
  for (const { address, resourceClass, traits, devices } of pciPools(spec)) {
    attempt(options, () => {
      const provider = ensureProvider(cloud, pciProviderName(spec, address), root.uuid)
      setInventories(cloud, provider, new Map([[resourceClass, deviceInventory(devices.length)]]))
      for (const name of traits) if (!isStandardTrait(name)) cloud.placement.customTraits.add(name)
      replaceTraits(provider, new Set([...traits, 'COMPUTE_MANAGED_PCI_DEVICE']))
    })
  }
}

/** A refusal ends neither nova-compute nor its other updates; what was refused stays as it is. */
const attempt = ({ onRefused }: RefreshOptions, work: () => void): void => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    onRefused(error)
  }
}

/**
 * One period of a host's nova-compute (`update_provider_tree`). Providers of parents that it no longer reports are
 * ignored: they stay in Placement permanently.
 */
export const refreshHost = (
  cloud: Cloud,
  spec: HostSpec,
  options: RefreshOptions & { rootUuid: string; isDisabled: boolean },
): void => {
  const root = ensureProvider(cloud, hypervisorHostname(spec), null, options.rootUuid)
  attempt(options, () => setInventories(cloud, root, rootInventories(spec)))
  replaceTraits(root, rootTraits(root.traits, options.isDisabled))
  refreshMdevs(cloud, spec, root, options)
  refreshPci(cloud, spec, root, options)
}
