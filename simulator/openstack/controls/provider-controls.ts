import { deviceInventory } from '../compute/root-inventory'
import { addProvider, removeProvider, replaceInventories, replaceTraits } from '../placement/change-providers'
import { type Control, type ControlContext, computeOf, numberOf, providerOf } from './control'

/** What goes wrong with resource providers. Placement is read each time, because healing replaces it. */
export const providerControls = (context: ControlContext) => {
  const { cloud } = context

  /** nova-compute leaves the provider of a card alone that it no longer sees. */
  const addStaleProvider: Control = (args = {}) => {
    const compute = computeOf(context, args.host ?? cloud.nova.computes[0]?.host)
    const name = `${compute.hypervisorHostname}_pci_${args.value ?? '0000_fe_00_0'}`
    const provider = addProvider(cloud.placement, { uuid: cloud.newUuid(), name, parentUuid: compute.uuid })
    replaceInventories(cloud.placement, provider, new Map([['VGPU', deviceInventory(4)]]))
    return `${name} offers 4 VGPU of a card that is not there`
  }

  const loseTraits: Control = (args = {}) => {
    const provider = providerOf(context, args)
    replaceTraits(provider, new Set([...provider.traits].filter((name) => !name.startsWith('CUSTOM_'))))
    cloud.handTagged.add(provider.name)
    return `${provider.name} lost its traits`
  }

  const setTrait: Control = (args = {}) => {
    const provider = providerOf(context, args)
    const trait = args.value ?? 'CUSTOM_NVIDIA_A40_48Q'
    cloud.placement.customTraits.add(trait)
    replaceTraits(provider, new Set([trait]))
    cloud.handTagged.add(provider.name)
    return `${provider.name} is tagged ${trait}`
  }

  const recreateProvider: Control = (args = {}) => {
    const { name, parentUuid, inventories, uuid } = providerOf(context, args, { isFree: true })
    removeProvider(cloud.placement, { ...providerOf(context, { provider: uuid }) })
    const fresh = addProvider(cloud.placement, { uuid: cloud.newUuid(), name, parentUuid })
    replaceInventories(cloud.placement, fresh, inventories)
    cloud.handTagged.add(name)
    return `${name} was ${uuid} and is ${fresh.uuid}, without traits`
  }

  const removeDeviceProvider: Control = (args = {}) => {
    const provider = providerOf(context, args, { isFree: true })
    removeProvider(cloud.placement, provider)
    const host = cloud.nova.computes.find(({ uuid }) => uuid === provider.rootUuid)
    if (host !== undefined) host.isDown = true
    return `${provider.name} is gone, and nova-compute on ${host?.host} does not put it back`
  }

  /** Holds only while nova-compute is stopped: it writes its own number every period. */
  const setTotal: Control = (args = {}) => {
    const provider = providerOf(context, args)
    const [name] = provider.inventories.keys()
    const total = numberOf(args.value, 32)
    replaceInventories(cloud.placement, provider, new Map([[name ?? 'VGPU', deviceInventory(total)]]))
    return `${provider.name} offers ${total} ${name}`
  }

  return { addStaleProvider, loseTraits, setTrait, recreateProvider, removeDeviceProvider, setTotal }
}
