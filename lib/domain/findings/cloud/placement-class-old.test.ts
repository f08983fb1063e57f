import { expect, it } from 'vitest'
import { editGpuProviders, editNovaConf, findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { inventoryOf } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'

const NOVA =
  '[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\ndevice_addresses = 0000:20:00.0\nmdev_class = CUSTOM_T4'
const empty = () => buildHealthyCloud([{ cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false }])

it('a class that nova.conf no longer creates', () => {
  expect(findOne(editNovaConf(empty(), NOVA), 'placement-class-old')).toMatchObject({
    sourceToCorrect: 'placement',
    sentence: 'Placement has the resource class VGPU, but nova.conf configures CUSTOM_T4',
  })
})

it('is no finding once Placement has it, nor while it is in use (then a restart would fail)', () => {
  const requested = editGpuProviders(empty(), (provider) => ({
    ...provider,
    inventories: { CUSTOM_T4: inventoryOf(4, 0) },
  }))
  for (const input of [editNovaConf(requested, NOVA), editNovaConf(t4Cloud(), NOVA)])
    expect(sentences(input).filter((text) => text.startsWith('placement-class-old'))).toEqual([])
})
