import * as z from 'zod'
import type { VersionedCall } from '../versioned-call'
import { flavorSchema } from './nova-schemas'
import { toFlavor } from './to-facts'
import type { NovaClient } from './types'

const oneFlavorSchema = z.object({ flavor: flavorSchema })
export const accessSchema = z.object({ flavor_access: z.array(z.object({ tenant_id: z.string() })) })

const pathOf = (flavorId: string): string => `/flavors/${encodeURIComponent(flavorId)}`

type FlavorWrites = Pick<
  NovaClient,
  'createFlavor' | 'describeFlavor' | 'deleteFlavor' | 'writeExtraSpecs' | 'deleteExtraSpec'
>

export const createFlavorWrites = (call: VersionedCall): FlavorWrites => ({
  createFlavor: async ({ id, name, description, vcpus, memoryMib, diskGib, isPublic }) => {
    const flavor = {
      ...(id === null ? {} : { id }),
      name,
      description,
      vcpus,
      ram: memoryMib,
      disk: diskGib,
      'os-flavor-access:is_public': isPublic,
    }
    const answer = await call.read(oneFlavorSchema, { method: 'POST', path: '/flavors', body: { flavor } })
    return toFlavor(answer.flavor)
  },
  describeFlavor: async (flavorId, description) => {
    const body = { flavor: { description } }
    const answer = await call.read(oneFlavorSchema, { method: 'PUT', path: pathOf(flavorId), body })
    return toFlavor(answer.flavor)
  },
  deleteFlavor: async (flavorId) => {
    await call.send({ method: 'DELETE', path: pathOf(flavorId) })
  },
  writeExtraSpecs: async (flavorId, extraSpecs) => {
    const body = { extra_specs: extraSpecs }
    await call.send({ method: 'POST', path: `${pathOf(flavorId)}/os-extra_specs`, body })
  },
  deleteExtraSpec: async (flavorId, key) => {
    await call.send({
      method: 'DELETE',
      path: `${pathOf(flavorId)}/os-extra_specs/${encodeURIComponent(key)}`,
    })
  },
})

type FlavorAccess = Pick<NovaClient, 'listFlavorAccess' | 'addFlavorAccess' | 'removeFlavorAccess'>

export const createFlavorAccess = (call: VersionedCall): FlavorAccess => {
  const act = async (flavorId: string, body: unknown) => {
    await call.send({ method: 'POST', path: `${pathOf(flavorId)}/action`, body })
  }
  return {
    listFlavorAccess: async (flavorId) => {
      const path = `${pathOf(flavorId)}/os-flavor-access`
      const { flavor_access: access } = await call.read(accessSchema, { method: 'GET', path })
      return access.map((entry) => entry.tenant_id)
    },
    addFlavorAccess: (flavorId, projectId) => act(flavorId, { addTenantAccess: { tenant: projectId } }),
    removeFlavorAccess: (flavorId, projectId) => act(flavorId, { removeTenantAccess: { tenant: projectId } }),
  }
}
