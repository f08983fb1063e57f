import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beforeRelease, changeNovaConf, expectFound, fromRelease } from './break'
import { expectRepaired, writeLines } from './expect-repaired'
import { novaConfOf } from './lab-cloud'
import { becomesCalm, findInLab } from './lab-fleet'
import { openOperator } from './operator'
import { dropSpareMdevs, makeSpareMdev } from './spare-mdevs'

let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(() => operator.close())

const T4 = '0000:84:00.0'
const T4_SECTION = '[mdev_nvidia-232]\n'
const A2_SECTION = '[mdev_nvidia-746]\n'
const withType = (text: string, section: string): string =>
  `${text.replace('nvidia-746, nvidia-232', 'nvidia-746, nvidia-232, nvidia-231')}\n${section}`

type Edit = (text: string) => string
const without =
  (...texts: string[]): Edit =>
  (text) =>
    texts.reduce((left, each) => left.replace(each, ''), text)

/** What the findings about max_instances suggest. Four vGPUs fit on the A2. */
const REMOVE: Edit = (text) =>
  text.replace(/max_instances = .*\n/, '').replace('0000:41:00.7,0000:41:01.0', '0000:41:00.7')
const SET: Edit = (text) => text.replace(/max_instances = .*/, 'max_instances = 4')

type WrongConfig = { code: string; about: string; change: Edit; repair: Edit }

const expectSource = (host: string, { code, about, change, repair }: WrongConfig): Promise<void> =>
  expectRepaired(operator, {
    code,
    sourceToCorrect: 'nova.conf',
    about,
    break: changeNovaConf(host, change),
    follow: changeNovaConf(host, repair),
  })

const ALIAS = 'alias = {"name":"t4-full","vendor_id":"10de","product_id":"1eb8","device_type":"type-PF"}\n'

describe('a nova.conf that was written wrongly', () => {
  it.each([
    {
      what: 'a group of a type that is not enabled',
      code: 'mdev-group-not-enabled',
      repair: without('\n[mdev_nvidia-233]\nmdev_class = VGPU\n'),
      change: (text: string) => `${text}\n[mdev_nvidia-233]\nmdev_class = VGPU\n`,
      about: 'nvidia-233',
    },
    {
      what: 'an option that Nova does not have',
      code: 'unknown-options',
      repair: without('vgpu_types = nvidia-232\n'),
      change: (text: string) => `${text}vgpu_types = nvidia-232\n`,
      about: 'vgpu_types',
    },
    {
      what: 'an alias that Nova refuses',
      code: 'alias-invalid',
      repair: without('alias = {"name":"gpu","vendor_id":"gone"}\n'),
      change: (text: string) => `${text}\n[pci]\nalias = {"name":"gpu","vendor_id":"gone"}\n`,
      about: 'gone',
    },
    {
      what: 'an alias without a device',
      code: 'alias-without-device',
      repair: without(ALIAS),
      change: (text: string) => `${text}\n[pci]\n${ALIAS}`,
      about: 't4-full',
    },
    {
      what: 'an address under two types',
      code: 'address-duplicate',
      repair: without(', nvidia-231', `\n[mdev_nvidia-231]\ndevice_addresses = ${T4}\n`),
      change: (text: string) => withType(text, `[mdev_nvidia-231]\ndevice_addresses = ${T4}\n`),
      about: T4,
    },
    {
      what: 'an address without its domain',
      code: 'address-malformed',
      repair: (text: string) => text.replace('= 84:00.0', `= ${T4}`),
      change: (text: string) => text.replace(`= ${T4}`, '= 84:00.0'),
      about: '84:00.0',
    },
    {
      what: 'an address in upper case',
      code: 'address-upper-case',
      repair: without(',0000:AF:00.0'),
      change: (text: string) => text.replace(`= ${T4}`, `= ${T4},0000:AF:00.0`),
      about: '0000:AF:00.0',
    },
    {
      what: 'an address that no card has',
      code: 'address-without-device',
      repair: (text: string) => text.replace('= 0000:48:00.0', `= ${T4}`),
      change: (text: string) => text.replace(`= ${T4}`, '= 0000:48:00.0'),
      about: '0000:48:00.0',
    },
    {
      what: 'the physical function of a card whose virtual ones are the parents',
      code: 'address-not-a-parent',
      repair: without('0000:41:00.0,'),
      change: (text: string) => text.replace('= 0000:41:00.4', '= 0000:41:00.0,0000:41:00.4'),
      about: '0000:41:00.0',
    },
    {
      what: 'a type that the card does not have',
      code: 'type-not-supported',
      repair: (text: string) => text.replaceAll('nvidia-560', 'nvidia-232'),
      change: (text: string) => text.replaceAll('nvidia-232', 'nvidia-560'),
      about: 'nvidia-560',
    },
    {
      what: 'a card that no type names',
      code: 'no-type-configured',
      repair: (text: string) => text.replace('= 0000:48:00.0', `= ${T4}`),
      change: (text: string) => text.replace(`= ${T4}`, '= 0000:48:00.0'),
      about: T4,
    },
    {
      what: 'fewer virtual functions than vGPUs fit',
      code: 'too-few-vfs-listed',
      repair: (text: string) => text.replace('41:00.5', '41:00.5,0000:41:00.6,0000:41:00.7'),
      change: (text: string) => text.replace(',0000:41:00.6,0000:41:00.7', ''),
      about: '0000:41:00.0',
    },
    {
      what: 'more virtual functions than vGPUs fit',
      code: 'sriov-over-promise',
      repair: without(',0000:41:01.0,0000:41:01.1'),
      change: (text: string) => text.replace('0000:41:00.7', '0000:41:00.7,0000:41:01.0,0000:41:01.1'),
      about: '0000:41:00.0',
    },
    {
      what: 'a value that oslo.config refuses',
      code: 'option-invalid',
      repair: (text: string) => text.replace('mdev_class = vgpu', 'mdev_class = VGPU'),
      change: (text: string) => `${text}mdev_class = vgpu\n`,
      about: 'mdev_class = vgpu',
    },
    {
      what: 'a device_spec that is no JSON',
      code: 'device-spec-malformed',
      repair: without('device_spec = {vendor_id: 10de}\n'),
      change: (text: string) => `${text}\n[pci]\ndevice_spec = {vendor_id: 10de}\n`,
      about: 'device_spec',
    },
    {
      what: 'a card that it slices and configures for passthrough',
      code: 'claimed-twice',
      repair: without(`device_spec = {"address": "${T4}"}\n`),
      change: (text: string) => `${text}\n[pci]\ndevice_spec = {"address": "${T4}"}\n`,
      about: T4,
    },
  ])('is the source to correct for $what', (fault) => expectSource('gpu02', fault))

  const byAddress = fromRelease(
    '2025.1',
    'before Nova 29 a type without addresses leaves only the first type',
  )
  describe.skipIf(byAddress.isSkipped)(`with a type without addresses${byAddress.note}`, () => {
    it.each([
      {
        what: 'a second type without addresses',
        code: 'second-default-dropped',
        repair: without(', nvidia-231, nvidia-233'),
        change: (text: string) =>
          text.replace('nvidia-746, nvidia-232', 'nvidia-746, nvidia-232, nvidia-231, nvidia-233'),
        about: 'nvidia-233',
      },
      {
        what: 'a class on a type without addresses',
        code: 'mdev-class-without-addresses',
        repair: without(', nvidia-231', '\n[mdev_nvidia-231]\nmdev_class = CUSTOM_T4\n'),
        change: (text: string) => withType(text, '[mdev_nvidia-231]\nmdev_class = CUSTOM_T4\n'),
        about: 'CUSTOM_T4',
      },
    ])('is the source to correct for $what', (fault) => expectSource('gpu02', fault))
  })

  it.each([
    {
      what: 'another type than the servers on the card have',
      code: 'used-type-not-configured',
      repair: (text: string) => text.replaceAll('nvidia-231', 'nvidia-232'),
      change: (text: string) => text.replaceAll('nvidia-232', 'nvidia-231'),
      about: T4,
    },
    {
      what: 'a class that changed while the card is allocated',
      code: 'restart-would-fail',
      repair: without('mdev_class = CUSTOM_T4_4Q\n'),
      change: (text: string) => text.replace(T4_SECTION, `${T4_SECTION}mdev_class = CUSTOM_T4_4Q\n`),
      about: 'CUSTOM_T4_4Q',
    },
  ])('is the source to correct for $what', (fault) => expectSource('gpu01', fault))

  it('is the source to correct for an alias that Nova does not read, which is moved and then matches no device', async () => {
    await expectRepaired(operator, {
      code: 'pci-option-misplaced',
      sourceToCorrect: 'nova.conf',
      about: '[DEFAULT] alias',
      fields: { subject: { kind: 'host', host: 'gpu02' } },
      break: changeNovaConf('gpu02', (text) => `${text}\n[DEFAULT]\n${ALIAS}`),
      follow: async () => {
        changeNovaConf('gpu02', (text) => text.replace(`[DEFAULT]\n${ALIAS}`, `[pci]\n${ALIAS}`))()
        expect((await findInLab()).findings.map(({ code }) => code)).toContain('alias-without-device')
        changeNovaConf('gpu02', without(ALIAS))()
      },
    })
  })

  it('is the source to correct for post-copy', async () => {
    await expectRepaired(operator, {
      code: 'post-copy-with-vgpus',
      sourceToCorrect: 'nova.conf',
      about: 'live_migration_permit_post_copy',
      fields: { subject: { kind: 'host', host: 'gpu02' } },
      break: changeNovaConf(
        'gpu02',
        (text) => `${text}\n[libvirt]\nlive_migration_permit_post_copy = True\n`,
      ),
      follow: (finding) => writeLines(novaConfOf('gpu02'), finding),
    })
  })

  it('is found with old option names, without a source to correct', async () => {
    await expectRepaired(operator, {
      code: 'old-option-names',
      sourceToCorrect: null,
      about: 'enabled_vgpu_types',
      follow: changeNovaConf('gpu02', (text) => text.replace('enabled_vgpu_types', 'enabled_mdev_types')),
      break: changeNovaConf('gpu02', (text) => text.replace('enabled_mdev_types', 'enabled_vgpu_types')),
    })
  })

  const ignoring = beforeRelease('2024.1', 'Nova 29 honors the addresses of a single type')
  it.skipIf(ignoring.isSkipped)(`is found with addresses of a single type${ignoring.note}`, async () => {
    const second = '\n[mdev_nvidia-233]\ndevice_addresses = 0000:85:00.0\n'
    await expectRepaired(operator, {
      code: 'mdev-options-ignored',
      sourceToCorrect: null,
      about: 'nvidia-232 is the only enabled type',
      break: changeNovaConf('gpu01', (text) => text.replace(', nvidia-233', '').replace(second, '')),
      // Every enabled type has addresses again.
      follow: changeNovaConf(
        'gpu01',
        (text) => `${text.replace('= nvidia-232', '= nvidia-232, nvidia-233').trimEnd()}\n${second}`,
      ),
    })
  })

  it('is not the source to correct for a class that Placement does not have yet', async () => {
    await expectFound({
      code: 'placement-class-old',
      sourceToCorrect: 'placement',
      about: 'CUSTOM_T4_4Q',
      break: changeNovaConf('gpu02', (text) =>
        text.replace(T4_SECTION, `${T4_SECTION}mdev_class = CUSTOM_T4_4Q\n`),
      ),
    })
  })

  const newer = fromRelease('2025.1', 'max_instances came with Nova 29')
  describe.skipIf(newer.isSkipped)(`with max_instances${newer.note}`, () => {
    it.each([
      { host: 'gpu02', section: T4_SECTION, max: 2, code: 'max-instances-drops-pgpus', repair: REMOVE },
      { host: 'gpu01', section: T4_SECTION, max: 2, code: 'max-instances-below-use', repair: REMOVE },
      { host: 'gpu02', section: A2_SECTION, max: 3, code: 'max-instances-too-low', repair: SET },
      { host: 'gpu02', section: A2_SECTION, max: 6, code: 'max-instances-too-high', repair: SET },
    ])('is the source to correct for $code', ({ host, section, max, code, repair }) =>
      expectSource(host, {
        code,
        about: `max_instances ${max}`,
        // With one VF more than vGPUs fit on the A2.
        change: (text) =>
          text
            .replace(section, `${section}max_instances = ${max}\n`)
            .replace('0000:41:00.7\n', '0000:41:00.7,0000:41:01.0\n'),
        repair,
      }),
    )
  })
})

describe('an mdev of another type', () => {
  it('is found as an orphan', async () => {
    await expectRepaired(operator, {
      code: 'orphan-mdevs',
      sourceToCorrect: 'hardware',
      about: T4,
      break: async () => {
        await makeSpareMdev('gpu02', { parent: T4, typeId: 'nvidia-231' })
        return () => dropSpareMdevs('gpu02')
      },
      follow: async () => {
        await dropSpareMdevs('gpu02')
        // Nova may have dropped the provider of the full card, and creates one without the trait.
        await operator.tagAgain({ name: 'gpu02_pci_0000_84_00_0', total: 4, trait: 'CUSTOM_GRID_T4_4Q' })
      },
    })
  })
})

it('leaves nothing of all that behind', async () => {
  await becomesCalm()
  expect((await findInLab()).unverified).toEqual([])
})
