import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { createChange } from '@/lib/services/change/create-change'
import { previewChange } from '@/lib/services/change/preview-change'
import { previewOfKind } from '@/lib/services/change/testing/preview-of-kind'
import { fromRelease } from './break'
import { runCommand } from './expect-repaired'
import { createLabChanges } from './lab-changes'
import { hostFile, novaConfOf, treeOf } from './lab-cloud'
import { reconfigure } from './lab-service'
import { openOperator, waitUntil } from './operator'
import { giveHardware } from './other-hardware'
import { restartCompute, restartInVain } from './restart-compute'
import { dropSpareMdevs } from './spare-mdevs'

/** The second T4 of gpu01: as the lab begins two T4-8Q, here a whole card that nova-compute puts into Placement. */
const HOST = 'gpu01'
const ADDRESS = '0000:85:00.0'
const [AS_MDEV, AS_PCI] = [`${HOST}_pci_0000_85_00_0`, `${HOST}_${ADDRESS}`]
const T4_8Q = 'CUSTOM_GRID_T4_8Q'

const HARDWARE = hostFile(HOST, 'host.json')
const CONFIG = novaConfOf(HOST)

const changes = createLabChanges()
let operator: Awaited<ReturnType<typeof openOperator>>
let original = { hardware: '', config: '' }
beforeAll(async () => {
  operator = await openOperator()
  original = { hardware: readFileSync(HARDWARE, 'utf8'), config: readFileSync(CONFIG, 'utf8') }
  await dropSpareMdevs(HOST)
})
afterAll(() => operator.close())

const restart = () => restartCompute(operator, HOST)

/** As with an editor, and read at the next start. */
const configure = (spec: string, { isReported = true } = {}) => {
  const others = original.config
    .replace('nvidia-232, nvidia-233', 'nvidia-232')
    .replace(`[mdev_nvidia-233]\ndevice_addresses = ${ADDRESS}\n`, '')
    // Nova 26 to 28 ignore the options of a single type, which is a finding.
    .replace('[mdev_nvidia-232]\ndevice_addresses = 0000:84:00.0\n', '')
  writeFileSync(CONFIG, `${others}\n[pci]\n${isReported ? 'report_in_placement = True\n' : ''}${spec}`)
}

/** vfio-pci takes the card; what the agent sees of it follows. */
const handOutWhole = async (isWhole: boolean) => {
  const host = JSON.parse(original.hardware) as { cards: { address: string }[] }
  const cards = host.cards.map((card) => (card.address === ADDRESS && isWhole ? { ...card, isWhole } : card))
  await giveHardware(HOST, isWhole ? JSON.stringify({ ...host, cards }) : original.hardware)
  const { gpus } = await scanHost({ root: treeOf(HOST) })
  const driver = gpus.find(({ address }) => address === ADDRESS)?.driver
  expect(driver === 'vfio-pci').toBe(isWhole)
}

type Offered = NonNullable<Awaited<ReturnType<typeof operator.offered>>>

const becomes = (name: string, what: string, is: (now: Offered) => boolean) =>
  waitUntil(`${name} with ${what}`, async () => {
    const now = await operator.offered(name)
    return now !== null && is(now) ? now : null
  })

const input = () => ({
  cloud: changes.cloud().name,
  kind: 'traits' as const,
  gpus: [{ host: HOST, address: ADDRESS }],
  rule: 'CUSTOM_WHOLE_{type}',
})

const repair = async () => {
  // First out of device_spec, so that Nova takes the provider away: it does not start with one that it would no longer report.
  configure('')
  await restart()
  await waitUntil('no provider of the whole card', async () =>
    (await operator.offered(AS_PCI)) === null ? true : null,
  )
  writeFileSync(CONFIG, original.config)
  await handOutWhole(false)
  await restart()
  await operator.tagAgain({ name: AS_MDEV, total: 2, trait: T4_8Q })
}

it('a card in Placement by PCI is distinguished: its traits come from device_spec alone, and what mdevs left is found', async () => {
  const spec = `device_spec = {"address": "${ADDRESS}", "resource_class": "CUSTOM_T4"}`
  try {
    await handOutWhole(true)
    configure(`${spec}\n`)
    await restart()
    await becomes(AS_PCI, 'CUSTOM_T4', ({ totals }) => totals.CUSTOM_T4 === 1)
    // Nova sees no mdev parent there any more, so that it forgets what it had made for one.
    const left = await operator.offered(AS_MDEV)
    expect(left?.totals).toEqual({ VGPU: 2 })
    const found = (await changes.readAlarms()).filter(({ code }) => code === 'provider-without-device')
    expect(found).toMatchObject([
      { sourceToCorrect: 'placement', subject: { kind: 'pgpu', host: HOST, address: ADDRESS } },
    ])
    await operator.placement.deleteProvider(left?.uuid ?? '')
    // The flavor of the type that is gone finds none, and no flavor requests the card.
    expect(new Set((await changes.readAlarms()).map(({ code }) => code))).toEqual(
      new Set(['flavor-trait-unknown', 'vgpus-stranded']),
    )

    const { steps, preview } = await previewChange(changes.context(), input())
    expect(steps).toEqual([])
    expect(preview.refusals[0]?.reason).toContain('[pci] device_spec')
    await expect(createChange(changes.context(), input())).rejects.toThrow(/device_spec/)
    const [deviceSpec] = previewOfKind('traits', { preview }).traitTexts.deviceSpecs ?? []
    expect(deviceSpec).toMatchObject({ providers: [AS_PCI], problem: null })
    expect(deviceSpec?.lines.map(({ before }) => before)).toEqual([spec])
    const { uuid } = (await operator.offered(AS_PCI)) ?? { uuid: '' }
    await waitUntil(`${AS_PCI} with ${T4_8Q}`, () => operator.putTraits(uuid, (traits) => [...traits, T4_8Q]))
    configure(`${deviceSpec?.lines[0]?.after ?? ''}\n`)
    await restart()
    const wanted = deviceSpec?.trait ?? ''
    // What was put on by the API goes, what the line contains comes.
    const now = await becomes(AS_PCI, wanted, (each) => each.traits.includes(wanted))
    expect(now.traits).toEqual([wanted])

    configure('', { isReported: false })
    const [warning] = (await changes.readAlarms()).filter(({ code }) => code === 'restart-would-fail')
    expect(warning).toMatchObject({
      sourceToCorrect: 'nova.conf',
      sentence: expect.stringContaining('is off'),
    })
    await restartInVain(HOST, { says: 'it was enabled before on this compute', isEnding: true })
  } finally {
    await repair()
  }
  await waitUntil('a console without alarms', async () =>
    (await changes.readAlarms()).length === 0 ? true : null,
  )
}, 900_000)

const oneTime = fromRelease('2026.1', 'one_time_use of device_spec came with Nova 32')
const SERVER = 'lab-t4-once'
const FLAVOR = { name: 'lab.t4-once', vcpus: 1, ram: 1024, disk: 5 }

/** Nova's API and scheduler with an alias for the class of the card. */
const withAlias = (api: string): string =>
  api
    .replace('[filter_scheduler]\n', '[filter_scheduler]\npci_in_placement = True\n')
    .replace('[pci]\n', '[pci]\nalias = {"name": "t4-once", "resource_class": "CUSTOM_T4"}\n')

it.skipIf(oneTime.isSkipped)(
  `a card of one-time use waits for cleaning after its server is deleted, until it is released${oneTime.note}`,
  async () => {
    const restoreNova = reconfigure('nova', withAlias)
    const waiting = async () =>
      (await changes.readAlarms()).filter(({ code }) => code === 'device-waits-for-cleaning')
    try {
      await operator.createFlavor(FLAVOR, { 'pci_passthrough:alias': 't4-once:1' })
      await handOutWhole(true)
      configure(
        `device_spec = {"address": "${ADDRESS}", "resource_class": "CUSTOM_T4", "one_time_use": "true"}\n`,
      )
      await restart()
      await becomes(AS_PCI, 'CUSTOM_T4', ({ totals }) => totals.CUSTOM_T4 === 1)
      await operator.bootServer({ name: SERVER, flavor: FLAVOR.name, host: HOST })
      expect(await waiting()).toEqual([])
      await operator.deleteServer(SERVER)
      const found = await waiting()
      expect(found).toMatchObject([
        { severity: 'warning', sourceToCorrect: null, subject: { host: HOST, address: ADDRESS } },
      ])
      for (const finding of found) await runCommand(finding)
      expect(await waiting()).toEqual([])
      // nova-compute does not reserve it again, and the next server gets it.
      await restart()
      await operator.bootServer({ name: SERVER, flavor: FLAVOR.name, host: HOST })
    } finally {
      await operator.deleteServer(SERVER)
      await operator.deleteFlavor(FLAVOR.name)
      await repair()
      await restoreNova()
    }
  },
  900_000,
)
