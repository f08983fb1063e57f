import * as z from 'zod'
import { scanHost } from '@/agent/scan/scan-host'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import { configOf } from '@/lib/openstack/testing/suite/target'
import { labTarget, treeOf } from './lab-cloud'

const idSchema = z.object({ id: z.string() })
const imagesSchema = z.object({ images: z.array(idSchema) })

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks until the answer is there; `what` names it in the error. */
export const waitUntil = async <Value>(
  what: string,
  ask: () => Promise<Value | null>,
  limitMs = 240_000,
): Promise<Value> => {
  const end = Date.now() + limitMs
  while (Date.now() < end) {
    const answer = await ask()
    if (answer !== null) return answer
    await sleep(1000)
  }
  throw new Error(`${what} did not happen within ${limitMs / 1000} s.`)
}

/** The lab's admin: does through the APIs what an operator does by hand. */
export const openOperator = async () => {
  const target = await labTarget()
  const account = createServiceAccount(configOf(target, target.credentials.admin))
  const nova = createNova({ account })
  const placement = createPlacement({ account })

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, version = '2.90') =>
    account.request({
      service: 'nova',
      method,
      path,
      headers: { 'openstack-api-version': `compute ${version}` },
      ...(body === undefined ? {} : { body }),
    })

  const bootServer = async ({ name, flavor, host }: { name: string; flavor: string; host: string }) => {
    const found = (await nova.listServers()).items.find((server) => server.name === name)
    const flavors = await nova.listFlavors()
    const flavorRef = flavors.find((each) => each.name === flavor)?.id
    // Nova lists Glance's images up to 2.35 only.
    const { images } = imagesSchema.parse((await ask('GET', '/images', undefined, '2.1')).json)
    const made =
      found?.uuid ??
      z.object({ server: idSchema }).parse(
        (
          await ask('POST', '/servers', {
            server: { name, flavorRef, imageRef: images[0]?.id, networks: 'none', host },
          })
        ).json,
      ).server.id
    return waitUntil(`server ${name} ACTIVE`, async () => {
      const server = await nova.getServer(made)
      if (server?.status === 'ERROR') throw new Error(`Server ${name} went to ERROR: ${server.fault}`)
      return server?.status === 'ACTIVE' ? server : null
    })
  }

  /** Gone from Nova and from its host's tree; the mdev stays, as Nova leaves it. */
  const deleteServer = async (name: string): Promise<void> => {
    const find = async () => (await nova.listServers()).items.find((server) => server.name === name)
    const server = await find()
    if (server === undefined) return
    await ask('DELETE', `/servers/${server.uuid}`)
    await waitUntil(`server ${name} deleted`, async () => ((await find()) === undefined ? true : null))
    const { host, uuid } = server
    if (host === null) return
    await waitUntil(`${host} without the guest of ${name}`, async () => {
      const { guests } = await scanHost({ root: treeOf(host) })
      return guests?.some((guest) => guest.uuid === uuid) === false ? true : null
    })
  }

  const providerNamed = async (name: string) => (await placement.listProviders({ name }))[0] ?? null

  /** Classes with their totals, and custom traits; null: Placement has no such provider. */
  const offered = async (name: string) => {
    const provider = await providerNamed(name)
    if (provider === null) return null
    const { inventories } = await placement.getInventories(provider.uuid)
    const { traits } = await placement.getTraits(provider.uuid)
    return {
      uuid: provider.uuid,
      totals: Object.fromEntries(
        Object.entries(inventories).map(([className, { total }]) => [className, total]),
      ),
      traits: traits.filter((trait) => trait.startsWith('CUSTOM_')).toSorted(),
    }
  }

  /**
   * While a pGPU has no room for its type, Nova drops its provider, and makes a new one without the trait afterwards: waits
   * for that one and tags it again.
   */
  const tagAgain = ({ name, total, trait }: { name: string; total: number; trait: string }) =>
    waitUntil(`${name} with a total of ${total} and its trait`, async () => {
      const provider = await providerNamed(name)
      if (provider === null) return null
      const { inventories } = await placement.getInventories(provider.uuid)
      if (inventories.VGPU?.total !== total) return null
      const { generation, traits } = await placement.getTraits(provider.uuid)
      if (!traits.includes(trait))
        await placement.putTraits(provider.uuid, { generation, traits: [...traits, trait] })
      return provider
    })

  return {
    target,
    account,
    nova,
    placement,
    ask,
    bootServer,
    deleteServer,
    providerNamed,
    offered,
    tagAgain,
    close: account.close,
  }
}
