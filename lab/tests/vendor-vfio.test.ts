import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { getGpu } from '@/lib/services/gpu/get-gpu'
import { getGpuSources } from '@/lib/services/gpu/get-gpu-sources'
import { fromRelease, type Repair } from './break'
import { removeHost, runExtraHost } from './extra-host'
import { novaConfOf, treeOf } from './lab-cloud'
import { createLabConsole } from './lab-console'
import { reconfigure } from './lab-service'
import { openOperator, waitUntil } from './operator'
import { restartCompute, restartInVain } from './restart-compute'

/** An L40S with vendor VFIO, in addition to the lab's hosts: six of its 32 VFs have a vGPU type and are in device_spec. */
const HOST = 'gpu03'
const CARD = '0000:41:00.0'
const PROVIDER = `${HOST}_${CARD}`
const SERVER = 'lab-l40s'
const FLAVOR = { name: 'lab.l40s-8q', vcpus: 1, ram: 1024, disk: 5 }

const migratable = fromRelease('2025.1', 'managed and live_migratable of device_spec came with Nova 31')
const oneTime = fromRelease('2026.1', 'one_time_use of device_spec came with Nova 32')

const CONFIG = novaConfOf(HOST)
const GIVEN = path.join('lab/hosts', HOST, 'nova-compute.conf')

const labConsole = createLabConsole()
let operator: Awaited<ReturnType<typeof openOperator>>
const repairs: Repair[] = []

/**
 * Adds the options that the release has: without `managed`, libvirt would unbind the VF from NVIDIA's driver, and with
 * pci_in_placement an alias without a class requests the class of the device ids.
 */
const ofRelease = (text: string): string =>
  migratable.isSkipped
    ? text
    : text
        .replaceAll('"resource_class"', '"managed": "no", "live_migratable": "yes", "resource_class"')
        .replace(
          '"device_type": "type-VF"}',
          '"device_type": "type-VF", "live_migratable": "yes", "resource_class": "CUSTOM_L40S_8Q"}',
        )

/** Nova's API and scheduler as newer releases have it: Zed's scheduler does not take VFs from Placement. */
const asNewer = (api: string): string =>
  ofRelease(api).replace('[filter_scheduler]\n', '[filter_scheduler]\npci_in_placement = True\n')

const close = async () => {
  await operator.deleteServer(SERVER)
  await operator.deleteFlavor(FLAVOR.name)
  await removeHost(operator, HOST)
  for (const repair of repairs.splice(0).toReversed()) await repair()
}

beforeAll(async () => {
  operator = await openOperator()
  await close()
  const text = ofRelease(readFileSync(GIVEN, 'utf8'))
  if (!migratable.isSkipped) repairs.push(reconfigure('nova', asNewer))
  await operator.createFlavor(FLAVOR, { 'pci_passthrough:alias': 'l40s-8q:1' })
  mkdirSync(path.dirname(CONFIG), { recursive: true })
  writeFileSync(CONFIG, text)
  runExtraHost('add', HOST)
})
afterAll(async () => {
  await close()
  await operator.close()
})

const numbersOfCard = async () => {
  const scope = { cloud: labConsole.cloud().name, host: HOST, address: CARD }
  const { numbers } = await getGpu(labConsole.context(), scope)
  const { sources } = await getGpuSources(labConsole.context(), scope)
  return {
    capacity: numbers.capacity.value,
    used: numbers.used.value,
    advertised: sources?.advertised.total.value,
    advertisedUsed: sources?.advertised.used.value,
  }
}

const inPlacement = (what: string, is: (now: Awaited<ReturnType<typeof operator.offered>>) => boolean) =>
  waitUntil(`${PROVIDER} ${what}`, async () => (is(await operator.offered(PROVIDER)) ? true : null))

const allocationsOf = async (uuid: string) => {
  const provider = await operator.providerNamed(PROVIDER)
  const { allocations } = await operator.placement.getConsumer(uuid)
  return allocations
    .filter(({ providerUuid }) => providerUuid === provider?.uuid)
    .map(({ resources }) => resources)
}

const configure = (change: (text: string) => string) => {
  const before = readFileSync(CONFIG, 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(CONFIG, after)
}

const withoutSpec = (text: string): string => text.replace(/^device_spec = .*\n/gm, '')

describe('VFs of vendor VFIO', () => {
  it('are counted by nova-compute, Placement and the console alike', async () => {
    await inPlacement('with six VFs', (now) => now?.totals.CUSTOM_L40S_8Q === 6)
    expect(await operator.offered(PROVIDER)).toMatchObject({
      totals: { CUSTOM_L40S_8Q: 6 },
      traits: ['CUSTOM_NVIDIA_L40S_8Q'],
    })
    expect(await labConsole.readAlarms()).toEqual([])
    expect(await numbersOfCard()).toEqual({ capacity: 6, used: 0, advertised: 6, advertisedUsed: 0 })
  })

  it('go to a server whose flavor has an alias, and the console counts it', async () => {
    const server = await operator.bootServer({ name: SERVER, flavor: FLAVOR.name, host: HOST })
    const { guests } = await scanHost({ root: treeOf(HOST) })
    const held = guests?.find(({ uuid }) => uuid === server.uuid)?.pciDevices?.map(({ address }) => address)
    expect(held).toEqual([expect.stringMatching(/^0000:41:0(0\.[4-7]|1\.[01])$/)])
    // Without pci_in_placement of the scheduler, nova-compute allocates the VF itself with its next period.
    await waitUntil(`the VF of ${SERVER} in Placement`, async () =>
      (await allocationsOf(server.uuid)).length > 0 ? true : null,
    )
    expect(await allocationsOf(server.uuid)).toEqual([{ CUSTOM_L40S_8Q: 1 }])
    expect(await labConsole.readAlarms()).toEqual([])
    expect(await numbersOfCard()).toEqual({ capacity: 6, used: 1, advertised: 6, advertisedUsed: 1 })
  })

  it.skipIf(migratable.isSkipped)(`are attached with managed="no"${migratable.note}`, async () => {
    const { guests } = await scanHost({ root: treeOf(HOST) })
    expect(guests?.[0]?.pciDevices).toHaveLength(1)
    const xml = readFileSync(path.join(treeOf(HOST), 'etc/libvirt/qemu', `${guests?.[0]?.name}.xml`), 'utf8')
    // `managed` of device_spec reaches libvirt.
    expect(xml).toMatch(/<hostdev mode="subsystem" type="pci" managed="no">/)
  })

  it('that left device_spec are found while a server has one, and are gone after the suggested repair', async () => {
    configure(withoutSpec)
    const left = async () => (await labConsole.readAlarms()).filter(({ code }) => code === 'device-left-spec')
    expect(await left()).toMatchObject([{ severity: 'warning', sourceToCorrect: 'nova.conf' }])
    await operator.deleteServer(SERVER)
    expect(await left()).toMatchObject([
      { severity: 'error', sourceToCorrect: 'placement', command: 'systemctl restart nova-compute' },
    ])
    await restartCompute(operator, HOST)
    await inPlacement('gone', (now) => now === null)
    expect(await left()).toEqual([])
  })

  it.skipIf(oneTime.isSkipped)(
    `with one_time_use are found before the restart that Nova refuses${oneTime.note}`,
    async () => {
      copyFileSync(GIVEN, CONFIG)
      configure((text) =>
        ofRelease(text).replaceAll('device_spec = {', 'device_spec = {"one_time_use": true, '),
      )
      const found = (await labConsole.readAlarms()).filter(({ code }) => code === 'restart-would-fail')
      expect(found).toMatchObject([
        { sourceToCorrect: 'nova.conf', sentence: expect.stringContaining('only whole cards may have') },
      ])
      await restartInVain(HOST, { says: 'Only type-PCI and type-PF devices may set', isEnding: true })
    },
  )
})
