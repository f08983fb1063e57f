import { expect, test } from 'vitest'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { rtxPassthroughHost } from '@/simulator/fixtures/rtx-passthrough-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { overrideDriver, probeDevice, unbindDevice } from './change-drivers'
import { deviceChoices } from './choose-device'
import type { HostOutcome } from './host-outcome'

const CARD = '0000:af:00.0'

const done = (outcome: HostOutcome): HostSpec => {
  if (!outcome.isDone) throw new Error(outcome.reason)
  return outcome.spec
}

const emptyCard: HostSpec = { ...kollaHost, guests: [] }

const cardOf = (spec: HostSpec) => spec.gpus.find(({ address }) => address === CARD)

test('a card that vfio-pci takes shows no vGPU types, and shows them again under its driver', () => {
  const override = overrideDriver(emptyCard, { address: CARD, text: 'vfio-pci' })
  const whole = done(probeDevice(done(unbindDevice(override, { driver: 'nvidia', address: CARD })), CARD))
  expect(cardOf(whole)).toMatchObject({ driver: 'vfio-pci', slicing: null })
  expect(deviceChoices(whole, {})).toMatchObject([{ kind: 'whole' }])

  const cleared = overrideDriver(whole, { address: CARD, text: '' })
  const back = done(probeDevice(done(unbindDevice(cleared, { driver: 'vfio-pci', address: CARD })), CARD))
  expect(cardOf(back)?.driver).toBe('nvidia')
  expect(cardOf(back)?.slicing?.state.vgpus).toEqual([])
  expect(cardOf(back)?.slicing?.types).toEqual(cardOf(kollaHost)?.slicing?.types)
})

test('a driver does not let go of a card in use, nor of one that it does not drive', () => {
  expect(unbindDevice(kollaHost, { driver: 'nvidia', address: CARD })).toMatchObject({
    isDone: false,
    errno: 'EBUSY',
  })
  expect(unbindDevice(emptyCard, { driver: 'nouveau', address: CARD })).toMatchObject({ errno: 'ENODEV' })
})

test('a card whose group a driver of the host holds goes to no guest until that is bound away', () => {
  const blocked = '0000:b3:00.0'
  const free = (spec: HostSpec) =>
    deviceChoices({ ...spec, guests: [] }, {}).flatMap((choice) =>
      choice.kind === 'whole' ? [choice.gpu.address] : [],
    )
  expect(free(rtxPassthroughHost)).toEqual(['0000:65:00.0'])
  const bound = ['0000:b3:00.1', '0000:b3:00.2'].reduce((spec, address) => {
    const driver = spec.otherDevices.find((one) => one.address === address)?.driver ?? ''
    const override = overrideDriver(spec, { address, text: 'vfio-pci' })
    return done(probeDevice(done(unbindDevice(override, { driver, address })), address))
  }, rtxPassthroughHost)
  expect(free(bound)).toEqual(['0000:65:00.0', blocked])
})
