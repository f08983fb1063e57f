import { describe, expect, it } from 'vitest'
import {
  a40Cloud,
  detect,
  editGpuProviders,
  editHosts,
  editNovaConf,
  findOne,
  gapsOf,
  sentences,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { inventoryOf, silentPart } from '@/lib/domain/testing/build-cloud'
import { buildInventory, buildMdev, novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { offersOf } from '@/lib/domain/testing/offers'

const withTotal = (total: number) =>
  editGpuProviders(t4Cloud(), (provider) => ({ ...provider, inventories: { VGPU: inventoryOf(total, 2) } }))

describe('a total in Placement that the hardware does not have', () => {
  it('too high: servers will fail here', () => {
    const finding = findOne(withTotal(16), 'placement-total-old')
    expect(sentences(withTotal(16))).toHaveLength(1)
    expect(finding).toMatchObject({
      severity: 'error',
      sourceToCorrect: 'placement',
      sentence: 'Placement reports 16 vGPUs, but 4 of T4-4C can exist',
      subject: { kind: 'pgpu', host: 'cmp-1', address: '0000:20:00.0' },
    })
    expect(finding.evidence.map(({ source }) => source)).toEqual([
      'placement',
      'hardware',
      'nova.conf',
      'libvirt',
    ])
  })

  it('too low: vGPUs stay unused', () => {
    expect(findOne(withTotal(3), 'placement-total-old').severity).toBe('warning')
  })

  it('after a change of type: the old total, with the orphan that locks the card', () => {
    const host = buildInventory({
      cards: [
        { address: '0000:20:00.0', offers: offersOf('T4', ({ name }) => (name.endsWith('-4C') ? 3 : 0)) },
      ],
      mdevs: [buildMdev({ uuid: uuidOf(1), parent: '0000:20:00.0', typeId: 'nvidia-319' })],
      novaConfig: novaConf('[devices]\nenabled_mdev_types = nvidia-321'),
    })
    const input = editHosts(t4Cloud(), () => ({ ...host, host: { ...host.host, name: 'cmp-1' } }))
    const finding = findOne(input, 'placement-total-old')
    expect(finding.sentence).toBe('Placement reports 4 vGPUs, but 0 of T4-16C can exist')
    expect(finding.nextStep).toContain('orphaned mdevs')
    expect(detect(input).findings.map(({ code }) => code)).toContain('orphan-mdevs')
  })

  it('is no finding on an SR-IOV card that is only full', () => {
    const full = editGpuProviders(a40Cloud(), (provider) => ({
      ...provider,
      inventories: { VGPU: inventoryOf(1, 0) },
    }))
    expect(sentences(full).filter((text) => text.startsWith('placement-total'))).toEqual([])
  })

  it('is unknown on a silent host, without nova.conf, or while Placement does not answer', () => {
    const silent = { ...withTotal(16), hosts: t4Cloud().hosts.map((host) => ({ ...host, isSilent: true })) }
    const unread = editHosts(withTotal(16), (inventory) => ({ ...inventory, novaConfig: null }))
    const mute = withFacts(withTotal(16), { providers: silentPart() })
    expect(gapsOf(silent, 'placement-total-old')).toEqual([
      'cmp-1 has been silent since 2026-11-21T09:59:50.000Z',
    ])
    expect(gapsOf(unread, 'placement-total-old')).toEqual(['cmp-1: nova.conf could not be read'])
    expect(gapsOf(mute, 'placement-total-old')).toEqual([
      "Placement's resource providers could not be read: connection refused",
    ])
    for (const input of [silent, unread, mute])
      expect(detect(input).findings.map(({ code }) => code)).not.toContain('placement-total-old')
  })

  it('is reported for a changed nova.conf, too', () => {
    const retyped = editNovaConf(t4Cloud(), '[devices]\nenabled_mdev_types = nvidia-321')
    expect(findOne(retyped, 'placement-total-old').sourceToCorrect).toBe('nova.conf')
  })
})
