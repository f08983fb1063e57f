import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { schedulerConfigs } from '@/lib/domain/plans/reservation/aggregate-texts'
import type { Repair } from './break'
import { forgetService, removeHost, runExtraHost } from './extra-host'
import { labFile, treeOf } from './lab-cloud'
import { reconfigure } from './lab-service'
import { type Operator, waitUntil } from './operator'

/** hyper18 of the second seed under a Nova of today, with its very options: a K40c for passthrough. */
export const HOST = 'hyper18'
export const CARD = '0000:86:00.0'
/** What is ordinary there takes all memory with five servers, and less than the CPUs. */
export const CROWD = { name: 'lab.crowd', vcpus: 8, ram: 8192, disk: 10 }
/** g1.gpu of the seed. */
export const GPU = { name: 'lab.g1-gpu', vcpus: 2, ram: 4096, disk: 40 }
/** An ordinary flavor that every lab has: 1 vCPU, 1 GiB. */
const SMALL = 'cpu.small'
export const GPU_SERVER = 'lab-g1'
/** What the console's changes create and revert. */
export const RESERVATION = { aggregate: 'lab-gpu-fenced', trait: 'CUSTOM_LAB_GPU_HOST' }

const ORDINARY = Array.from({ length: 5 }, (_, index) => `lab-crowd-${index + 1}`)
const LATE = Array.from({ length: 8 }, (_, index) => `lab-late-${index + 1}`)
const REFUSED = 'lab-one-too-many'

const ALIAS = 'pci_alias = {"vendor_id": "10de", "product_id":"1024", "device_type":"type-PCI", "name":"gpu"}'

/** What the second seed and the console's text of an aggregate ask of Nova's API and scheduler. */
const forGpus = (text: string): string => {
  const [isolated] = schedulerConfigs().find(({ deployment }) => deployment === 'nova-conf')?.texts ?? []
  return text
    .replace('[DEFAULT]\n', `[DEFAULT]\n${ALIAS}\n`)
    .replace(/^(enabled_filters = .*)$/m, '$1,NUMATopologyFilter')
    .concat(`\n${isolated?.text ?? ''}`)
}

/** The host of the second seed in addition to the lab's own, and who crowds it. */
export const openLabCrowd = (operator: Operator) => {
  const repairs: Repair[] = []
  const { nova, ask, bootServer, deleteServer } = operator

  const flavorNamed = async (name: string) => (await nova.listFlavors()).find((each) => each.name === name)

  const dropFlavors = async () => {
    for (const { name } of [CROWD, GPU]) await operator.deleteFlavor(name)
  }

  const dropServers = (names: readonly string[]) => Promise.all(names.map(deleteServer))

  const dropHost = async () => {
    await dropServers([...ORDINARY, ...LATE, REFUSED, GPU_SERVER])
    await removeHost(operator, HOST)
  }

  /** What a change that did not come to its end has left. */
  const dropReservation = async () => {
    const left = (await nova.listAggregates()).find(({ name }) => name === RESERVATION.aggregate)
    for (const host of left?.hosts ?? [])
      await ask('POST', `/os-aggregates/${left?.id}/action`, { remove_host: { host } })
    if (left !== undefined) await ask('DELETE', `/os-aggregates/${left.id}`)
    const small = await flavorNamed(SMALL)
    const key = `trait:${RESERVATION.trait}`
    if (small?.extraSpecs[key] !== undefined)
      await ask('DELETE', `/flavors/${small.id}/os-extra_specs/${key}`)
  }

  /** In one request, which Nova names lab-crowd-1 and on. */
  const bootMany = async () => {
    const [image] = await nova.listImages()
    const flavorRef = (await flavorNamed(CROWD.name))?.id
    const [min_count, max_count] = [ORDINARY.length, ORDINARY.length]
    const server = { name: 'lab-crowd', flavorRef, imageRef: image?.id, networks: 'none', host: HOST }
    await ask('POST', '/servers', { server: { ...server, min_count, max_count } })
  }

  /** Resolves to whether the host takes it; Nova's reason is the one that the scheduler gives. */
  const comes = async (name: string, flavor: string, host = HOST): Promise<boolean> => {
    try {
      await bootServer({ name, flavor, host })
      return true
    } catch (error) {
      expect(String(error)).toMatch(/No valid host/)
      await deleteServer(name)
      return false
    }
  }

  return {
    comes,
    dropServers,
    flavorId: async (name: string) => (await flavorNamed(name))?.id ?? '',
    open: async () => {
      await dropReservation()
      await dropHost()
      await dropFlavors()
      await operator.createFlavor(CROWD, { 'hw:cpu_policy': 'shared' })
      await operator.createFlavor(GPU, { 'pci_passthrough:alias': 'gpu:1' })
      repairs.push(reconfigure('nova', forGpus))
      runExtraHost('add', HOST)
    },
    close: async () => {
      await dropReservation()
      await dropHost()
      await dropFlavors()
      for (const repair of repairs.splice(0).toReversed()) await repair()
    },
    /** Ordinary servers take all that the host has. */
    crowd: async () => {
      const { items } = await nova.listServers()
      await dropServers(
        items.filter(({ name, host }) => ORDINARY.includes(name) && host !== HOST).map(({ name }) => name),
      )
      if (!items.some(({ name }) => ORDINARY.includes(name))) await bootMany()
      for (const name of ORDINARY) await bootServer({ name, flavor: CROWD.name, host: HOST })
      expect(await comes(REFUSED, CROWD.name)).toBe(false)
      expect(await comes(REFUSED, SMALL)).toBe(false)
    },
    /** Ordinary servers leave capacity for one more of them. */
    crowdAlmost: async () => {
      await dropServers(ORDINARY)
      for (const name of ORDINARY.slice(1)) await bootServer({ name, flavor: CROWD.name, host: HOST })
    },
    /** Ordinary servers try to come in again, large ones first; the number of small ones that do. */
    crowdAgain: async (): Promise<number> => {
      expect(await comes(REFUSED, CROWD.name)).toBe(false)
      for (const [index, name] of LATE.entries()) if (!(await comes(name, SMALL))) return index
      return LATE.length
    },
    /** Placement has what the seed's options make: nova-compute writes it some seconds after its start. */
    asConfigured: () =>
      waitUntil(`the CPUs of ${HOST} in Placement`, async () => {
        const { VCPU, PCPU } = (await operator.offered(HOST))?.totals ?? {}
        return VCPU === 23 && PCPU === undefined ? true : null
      }),
    thin: () => dropServers([...LATE, GPU_SERVER]),
    /** Projects without their own limit may have so many dedicated CPUs. */
    allowPinned: async (max: number) => {
      const { limits } = operator.account.keystone
      const tokenId = (await operator.account.token('system')).id
      const { items } = await limits.listRegistered({ tokenId, resourceName: 'class:PCPU' })
      for (const { id, defaultLimit } of items) {
        await limits.updateRegistered({ tokenId, id, defaultLimit: max })
        repairs.push(async () => {
          const again = (await operator.account.token('system')).id
          await limits.updateRegistered({ tokenId: again, id, defaultLimit })
        })
      }
    },
    /** With nova.conf of the first and `text` after it. */
    addSecond: (name: string, text: string) => {
      const folder = labFile('second', name)
      const own = readFileSync(path.join(treeOf(HOST), 'etc/nova/nova.conf'), 'utf8')
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        path.join(folder, 'nova-gpu.conf'),
        `${own.replaceAll(/^(state_path|instances_path) = .*\n/gm, '')}\n${text}\n[DEFAULT]\nstate_path = ${folder}/nova\ninstances_path = ${folder}/nova/instances\n`,
      )
      runExtraHost('add-second', HOST, name)
    },
    removeSecond: async (name: string) => {
      runExtraHost('remove-second', name)
      await forgetService(operator, name)
    },
  }
}
