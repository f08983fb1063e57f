import 'server-only'
import { gpuFlavorsOf } from '@/lib/domain/headroom/gpu-flavors'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import type { TestChoices } from '@/lib/schemas/api/test-choices'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

const readImages = async (
  { accounts }: ServiceContext,
  cloud: string,
): Promise<Pick<TestChoices, 'images' | 'imagesError'>> => {
  const account = accounts.find((one) => one.cloud === cloud)
  if (account === undefined)
    return { images: null, imagesError: `The cloud ${cloud} is not configured. Add it to clouds.yaml.` }
  try {
    return { images: (await createNova({ account }).listImages()).toSorted(byName), imagesError: null }
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    return { images: null, imagesError: error.message }
  }
}

/** Flavors and images for a test boot at the end of a change. */
export const listTestChoices = async (ctx: ServiceContext, input: CloudScope): Promise<TestChoices> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const fleet = await loadFleet(ctx, cloud)
  const flavors = (fleet === null ? [] : gpuFlavorsOf(fleet)).map(({ id, name }) => ({ id, name }))
  return { cloud: cloud.name, flavors: flavors.toSorted(byName), ...(await readImages(ctx, cloud.name)) }
}
