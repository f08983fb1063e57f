import { isImageFor } from '../glance/glance-state'
import { ApiError } from '../http/api-error'
import { isAdmin, type NovaCall } from './nova-handler'
import type { Flavor } from './nova-state'

const GIB = 1024 ** 3

/** nova/compute/api.py: _validate_flavor_image_nostatus. */
export const checkImage = (call: NovaCall, imageRef: string | undefined, flavor: Flavor): void => {
  if (imageRef === undefined || imageRef === '')
    throw new ApiError(
      400,
      'Block Device Mapping is Invalid: You specified more local devices than the limit allows',
    )
  const image = call.cloud.glance.images.find(({ id }) => id === imageRef)
  if (image === undefined || !(isAdmin(call) || isImageFor(image, call.projectId)))
    throw new ApiError(400, 'Can not find requested image')
  if (image.status !== 'active') throw new ApiError(400, `Image ${image.id} is not active.`)
  if (image.minMemoryMib > flavor.memoryMib)
    throw new ApiError(400, "Flavor's memory is too small for requested image.")
  if (flavor.diskGib > 0 && (image.sizeBytes ?? 0) > flavor.diskGib * GIB)
    throw new ApiError(
      400,
      `Flavor's disk is too small for requested image. Flavor disk is ${flavor.diskGib * GIB} bytes, image is ${image.sizeBytes} bytes.`,
    )
  if (flavor.diskGib > 0 && image.minDiskGib > flavor.diskGib)
    throw new ApiError(
      400,
      `Flavor's disk is smaller than the minimum size specified in image metadata. Flavor disk is ${flavor.diskGib * GIB} bytes, minimum size is ${image.minDiskGib * GIB} bytes.`,
    )
}

/** nova/network/neutron.py: _get_available_networks, validate_networks. */
export const checkNetwork = (call: NovaCall, uuid: string): void => {
  const network = call.cloud.neutron.networks.find(({ id }) => id === uuid)
  const isVisible =
    network !== undefined &&
    (network.isShared || network.isExternal || network.projectId === call.projectId || isAdmin(call))
  if (!isVisible) throw new ApiError(400, `Network ${uuid} could not be found.`)
  if (network.subnetIds.length === 0)
    throw new ApiError(400, `Network ${uuid} requires a subnet in order to boot instances on.`)
  if (network.isExternal && !network.isShared && !isAdmin(call))
    throw new ApiError(403, `It is not allowed to create an interface on external network ${uuid}`)
}

/** By name or id (nova/network/neutron.py: _process_security_groups). */
export const checkSecurityGroup = (call: NovaCall, name: string): void => {
  const own = call.cloud.neutron.securityGroups.filter(({ projectId }) => projectId === call.projectId)
  if (own.some(({ id }) => id === name)) return
  const named = own.filter((group) => group.name === name)
  if (named.length > 1)
    throw new ApiError(
      409,
      `Multiple security groups found matching '${name}'. Use an ID to be more specific.`,
    )
  if (named.length === 0) throw new ApiError(400, `Security group ${name} not found.`)
}

export const checkKeyPair = (call: NovaCall, name: string | undefined): void => {
  const own = call.state.keyPairs.get(call.caller.userId) ?? []
  if (name !== undefined && !own.includes(name)) throw new ApiError(400, 'Invalid key_name provided.')
}
