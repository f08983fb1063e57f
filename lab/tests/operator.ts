import * as z from 'zod'
import { scanHost } from '@/agent/scan/scan-host'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import { configOf } from '@/lib/openstack/testing/suite/target'
import { labTarget, treeOf } from './lab-cloud'

const idSchema = z.object({ id: z.string() })
const imagesSchema = z.object({ images: z.array(idSchema) })
const servicesSchema = z.object({
  services: z.array(z.object({ host: z.string(), updated_at: z.iso.datetime({ local: true }).nullable() })),
})

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A machine may stand still for a minute, and Nova's own periods come on top. */
const LIMIT_MS = 240_000

/** Repeats the request until its result is there; `what` names it in the error, and `instead` describes what is there in its place. */
export const waitUntil = async <Value>(
  what: string,
  ask: () => Promise<Value | null>,
  instead: () => string = () => '',
): Promise<Value> => {
  const end = Date.now() + LIMIT_MS
  do {
    const answer = await ask()
    if (answer !== null) return answer
    await sleep(1000)
  } while (Date.now() < end)
  const found = instead()
  throw new Error(`${what} did not happen within ${LIMIT_MS / 1000} s${found === '' ? '' : `: ${found}`}.`)
}

/** Waits until a host's tree shows the guest of a server, or no longer does: it follows libvirt by some moments. */
const guestIsThere = (host: string, uuid: string, wanted: boolean): Promise<true> =>
  waitUntil(`${host} ${wanted ? 'with' : 'without'} the guest of ${uuid}`, async () => {
    const { guests } = await scanHost({ root: treeOf(host) })
    return guests?.some((guest) => guest.uuid === uuid) === wanted ? true : null
  })

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
    const { items } = await nova.listServers()
    const found = items.find((server) => server.name === name && !server.isDeleted)
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
    const server = await waitUntil(`server ${name} ACTIVE`, async () => {
      const now = await nova.getServer(made)
      if (now?.status === 'ERROR') throw new Error(`Server ${name} went to ERROR: ${now.fault}`)
      return now?.status === 'ACTIVE' ? now : null
    })
    if (server.host !== null) await guestIsThere(server.host, server.uuid, true)
    return server
  }

  /** Nova lists a server as DELETED for some moments before it is gone. */
  const noServers = (what: string, is: (name: string) => boolean): Promise<true> =>
    waitUntil(`Nova without ${what}`, async () => {
      const { items } = await nova.listServers()
      return items.some(({ name }) => is(name)) ? null : true
    })

  /** Gone from Nova, from Placement, which Nova updates last, and from its host's tree; the mdev stays, as Nova leaves it. */
  const deleteServer = async (name: string): Promise<void> => {
    const server = (await nova.listServers()).items.find((each) => each.name === name)
    if (server === undefined) return
    const { host, uuid } = server
    if (!server.isDeleted) await nova.deleteServer(uuid)
    await noServers(`the server ${name}`, (each) => each === name)
    await waitUntil(`Placement without the allocations of ${name}`, async () =>
      (await placement.getConsumer(uuid)).allocations.length === 0 ? true : null,
    )
    if (host !== null) await guestIsThere(host, uuid, false)
  }

  /** With 2.1, as an older dashboard does: from 2.86 on Nova checks extra specs. */
  const createFlavor = async (
    flavor: { name: string; vcpus: number; ram: number; disk: number },
    extraSpecs: Record<string, string>,
  ): Promise<void> => {
    const { json } = await ask('POST', '/flavors', { flavor }, '2.1')
    const { id } = z.object({ flavor: idSchema }).parse(json).flavor
    await ask('POST', `/flavors/${id}/os-extra_specs`, { extra_specs: extraSpecs }, '2.1')
  }

  const deleteFlavor = async (name: string): Promise<void> => {
    const found = (await nova.listFlavors()).find((each) => each.name === name)
    if (found !== undefined) await ask('DELETE', `/flavors/${found.id}`)
  }

  /** When nova-compute last reported to Nova, in Unix milliseconds; the console's client reads it only of one that is down. */
  const lastReportOf = async (host: string): Promise<number | null> => {
    const { json } = await ask('GET', `/os-services?binary=nova-compute&host=${host}`)
    const at = servicesSchema.parse(json).services[0]?.updated_at
    return at === undefined || at === null ? null : Date.parse(`${at}Z`)
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

  /** Null: nova-compute has written in between, so that what was read is old. */
  const putTraits = async (uuid: string, change: (traits: readonly string[]) => string[]) => {
    const { generation, traits } = await placement.getTraits(uuid)
    try {
      return await placement.putTraits(uuid, { generation, traits: change(traits) })
    } catch (error) {
      if (isOpenStackError(error) && error.status === 409) return null
      throw error
    }
  }

  /**
   * While a pGPU has no free capacity for its type, Nova drops its provider, and makes a new one without the trait afterwards: waits
   * for that one and tags it again.
   */
  const tagAgain = ({ name, total, trait }: { name: string; total: number; trait: string }) =>
    waitUntil(`${name} with a total of ${total} and its trait`, async () => {
      const provider = await providerNamed(name)
      if (provider === null) return null
      const { inventories } = await placement.getInventories(provider.uuid)
      if (inventories.VGPU?.total !== total) return null
      const { traits } = await placement.getTraits(provider.uuid)
      if (traits.includes(trait)) return provider
      return (await putTraits(provider.uuid, (now) => [...now, trait])) === null ? null : provider
    })

  return {
    target,
    account,
    nova,
    placement,
    ask,
    bootServer,
    deleteServer,
    noServers,
    createFlavor,
    deleteFlavor,
    lastReportOf,
    guestIsThere,
    providerNamed,
    offered,
    putTraits,
    tagAgain,
    close: account.close,
  }
}

export type Operator = Awaited<ReturnType<typeof openOperator>>
