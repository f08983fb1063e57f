import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import {
  a40Cloud,
  detect,
  editGpuProviders,
  editHosts,
  editNovaConf,
  sentences,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { inventoryOf, mdevProvider, readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { vfOf } from '@/lib/domain/testing/offers'

const TAIL =
  '[libvirt]\nlive_migration_downtime = 500000\nlive_migration_downtime_steps = 3\nlive_migration_downtime_delay = 3\n[quota]\ndriver = nova.quota.UnifiedLimitsDriver'
const on = (input: Parameters<typeof withFacts>[0], nova: string) =>
  withFacts(input, { versions: { nova, placement: '1.39', keystone: '3.14' } })

/** Placement has a provider for each of the 32 VFs, and nova.conf lists twelve of the only enabled type. */
const allVfs = (nova: string) => {
  const base = on(a40Cloud(), nova)
  const all = base.facts.providers.value ?? []
  const root = all.find(({ parentUuid }) => parentUuid === null)
  if (root === undefined) throw new Error('the cloud has a compute node')
  const extra = Array.from({ length: 20 }, (_, n) =>
    mdevProvider(root, {
      address: vfOf('0000:20:00.0', 12 + n),
      n: 0x900 + n,
      traits: ['CUSTOM_A40_4Q'],
      inventories: { VGPU: inventoryOf(1, 0) },
    }),
  )
  return withFacts(base, { providers: readPart([...all, ...extra]) })
}

// nova/virt/libvirt/driver.py _get_supported_vgpu_types of 26.2: one type is that of every VF (c28494fd27 changed it in 29).
test('until Nova 28 providers of VFs that device_addresses leaves out are right, and named as the cause', () => {
  for (const nova of ['2.90', '2.95']) {
    const found = detect(allVfs(nova)).findings
    expect(found.filter(({ code }) => code === 'provider-without-device')).toEqual([])
    expect(found.find(({ code }) => code === 'mdev-options-ignored')).toMatchObject({ severity: 'warning' })
  }
  const now = detect(allVfs('2.96')).findings
  expect(now.some(({ code }) => code === 'provider-without-device')).toBe(true)
  expect(now.some(({ code }) => code === 'mdev-options-ignored')).toBe(false)
})

test('the rules are those of the nova-compute that the host has while the cloud is upgraded', () => {
  const older = editHosts(allVfs('2.96'), (inventory) => ({
    ...inventory,
    host: { ...inventory.host, novaCompute: { startedAt: '2026-11-20T08:00:00Z', version: '28.1.0' } },
  }))
  const codes = detect(older).findings.map(({ code }) => code)
  expect(codes).toContain('mdev-options-ignored')
  expect(codes).not.toContain('provider-without-device')
})

test('until Nova 28 the class of the only type is ignored, and servers get their vGPU', () => {
  const conf = `[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\nmdev_class = CUSTOM_T4\n${TAIL}`
  const codes = detect(on(editNovaConf(t4Cloud(), conf), '2.95')).findings.map(({ code }) => code)
  expect(codes).not.toContain('mdev-class-without-addresses')
  expect(codes).toContain('mdev-options-ignored')
  expect(sentences(on(editNovaConf(t4Cloud(), conf), '2.96')).join()).toContain(
    'mdev-class-without-addresses',
  )
})

test('each ignored option is explained by the release that brought it', () => {
  const type = (id: string, address: string) =>
    `[mdev_${id}]\ndevice_addresses = ${address}\nmdev_class = CUSTOM_T4\nmax_instances = 4\n`
  const conf = `[devices]\nenabled_mdev_types = nvidia-319,nvidia-320\n${type('nvidia-319', '0000:20:00.0')}${type('nvidia-320', '0000:21:00.0')}${TAIL}`
  const detailsOf = (nova: string) =>
    detect(on(editNovaConf(t4Cloud(), conf), nova)).findings.flatMap((finding) =>
      finding.code === 'mdev-options-ignored' && JSON.stringify(finding).includes('nvidia-319')
        ? [JSON.stringify(finding)]
        : [],
    )
  const [bound, ...others] = detailsOf('2.95')
  expect(others).toEqual([])
  expect(bound).toContain('Nova 29 (2024.1) and newer: [mdev_TYPE] max_instances')
  expect(bound).not.toContain('Until then')
  const [ofClass, ofBound] = detailsOf('2.88')
  expect(ofClass).toContain('Nova 24 (Xena) and newer: [mdev_TYPE] mdev_class')
  expect(ofBound).toContain('max_instances')
})

test('until Nova 28 the first of two types is that of every card', () => {
  const conf = `[devices]\nenabled_mdev_types = nvidia-319,nvidia-320\n[mdev_nvidia-320]\ndevice_addresses = 0000:21:00.0\n${TAIL}`
  const base = buildHealthyCloud([
    {
      cards: [
        { kind: 'T4', used: 0, spare: 0 },
        { kind: 'T4', used: 0, spare: 0 },
      ],
      hasDomain: false,
    },
  ])
  const typesOf = (nova: string) =>
    joinFleet(on(editNovaConf(base, conf), nova)).hosts.flatMap(({ pgpus }) =>
      pgpus.map(({ pgpu }) => pgpu.configuredType?.typeId),
    )
  expect(typesOf('2.95')).toEqual(['nvidia-319', 'nvidia-319'])
  expect(typesOf('2.96')).toEqual(['nvidia-319', 'nvidia-320'])
  const codes = detect(on(editNovaConf(base, conf), '2.95')).findings.map(({ code }) => code)
  expect(codes).not.toContain('placement-total-old')
  expect(codes).not.toContain('trait-names-other-type')
  expect(codes).not.toContain('types-not-told-apart')
})

test('nothing is ignored on a healthy cloud', () => {
  expect(sentences(editGpuProviders(t4Cloud(), (provider) => provider))).toEqual([])
})
