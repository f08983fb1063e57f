import { removeGuest } from '@/simulator/host/change-guests'
import { deleteServerRow } from '../nova/delete-server'
import { dropConsumer } from '../placement/change-allocations'
import { type Control, type ControlContext, ControlError, guestOf, hostOf, serverOf } from './control'

/** Disagreements between Nova's servers and the guests on hosts, and between guests and mdevs. */
export const serverControls = (context: ControlContext) => {
  const { cloud } = context

  const loseGuest: Control = (args = {}) => {
    const server = serverOf(context, args)
    const { host } = guestOf(context, server)
    host.living.attempt(removeGuest(host.living.spec(), server.uuid))
    return `the guest of server ${server.name} is gone from ${host.living.name}; server and allocation stay`
  }

  const loseServer: Control = (args = {}) => {
    const server = serverOf(context, args)
    cloud.nova.servers.delete(server.uuid)
    dropConsumer(cloud.placement, server.uuid)
    return `server ${server.name} (${server.uuid}) is gone from Nova and Placement; its guest runs on ${server.host}`
  }

  /** Deleted in Nova while the call to Placement failed. */
  const deleteServerOnly: Control = (args = {}) => {
    const server = serverOf(context, args)
    const { host } = guestOf(context, server)
    host.living.attempt(removeGuest(host.living.spec(), server.uuid))
    deleteServerRow(cloud, server.uuid)
    return `server ${server.name} (${server.uuid}) is deleted; its allocation stays`
  }

  const failServer: Control = (args = {}) => {
    const server = serverOf(context, args)
    server.status = 'ERROR'
    server.fault = {
      code: 500,
      message: args.value ?? 'No valid host was found. There are not enough hosts available.',
    }
    server.updatedMs = cloud.now().getTime()
    return `server ${server.name} is in ERROR`
  }

  const loseMdev: Control = (args = {}) => {
    const server = serverOf(context, args)
    const { host, guest } = guestOf(context, server)
    const spec = host.living.spec()
    const gpus = spec.gpus.map((gpu) => {
      if (gpu.slicing === null) return gpu
      const vgpus = gpu.slicing.state.vgpus.filter(({ uuid }) => !guest.mdevs.includes(uuid))
      return { ...gpu, slicing: { ...gpu.slicing, state: { ...gpu.slicing.state, vgpus } } }
    })
    host.living.become({ ...spec, gpus })
    return `${guest.name} on ${host.living.name} names mdev ${guest.mdevs[0]}, which does not exist`
  }

  const claimTwice: Control = (args = {}) => {
    const server = serverOf(context, args)
    const { host, guest } = guestOf(context, server)
    const spec = host.living.spec()
    const other = spec.guests.find(({ uuid, mdevs }) => uuid !== guest.uuid && mdevs.length > 0)
    if (other === undefined) throw new ControlError(`No other guest on ${host.living.name} has an mdev.`)
    const guests = spec.guests.map((each) =>
      each.uuid === other.uuid ? { ...each, state: 'shutoff' as const, mdevs: guest.mdevs } : each,
    )
    host.living.become({ ...spec, guests })
    return `${guest.name} and ${other.name} on ${host.living.name} both name mdev ${guest.mdevs[0]}`
  }

  /** nova.conf names another type from now on, as after an edit and a restart of nova-compute. */
  const retype: Control = (args = {}) => {
    const host = hostOf(context, args.host)
    const spec = host.living.spec()
    const typeId = args.value
    if (typeId === undefined) throw new ControlError('Say which type as value.')
    const types = spec.nova.types.map((type) => ({ ...type, typeId }))
    host.living.become({ ...spec, nova: { ...spec.nova, types: types.slice(0, 1), files: null } })
    context.refresh(host.living.name)
    return `${host.living.name} is configured for ${typeId}`
  }

  return { loseGuest, loseServer, deleteServerOnly, failServer, loseMdev, claimTwice, retype }
}
