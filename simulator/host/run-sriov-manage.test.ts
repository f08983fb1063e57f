import { expect, test } from 'vitest'
import { a40Host } from '@/simulator/fixtures/a40-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { HostOutcome } from './host-outcome'
import { runSriovManage } from './run-sriov-manage'

const ADDRESS = a40Host.gpus[0]?.address ?? ''

const done = (outcome: HostOutcome): HostSpec => {
  if (!outcome.isDone) throw new Error(outcome.reason)
  return outcome.spec
}

const cardOf = (spec: HostSpec) => spec.gpus.find(({ address }) => address === ADDRESS)

test('the VFs of a card go with its vGPUs and come back without, at the same addresses', () => {
  const empty = { ...a40Host, guests: [] }
  const off = done(runSriovManage(empty, `-d ${ADDRESS}`))
  expect(cardOf(off)).toMatchObject({ slicing: null, sriov: { enabledVfs: 0 } })
  expect(done(runSriovManage(off, `-d ${ADDRESS}`))).toBe(off)
  const on = cardOf(done(runSriovManage(off, `-e ${ADDRESS}`)))
  expect(on?.slicing?.state.slots).toEqual(cardOf(a40Host)?.slicing?.state.slots)
  expect(on?.slicing?.state.vgpus).toEqual([])
  expect(on?.sriov).toEqual(cardOf(a40Host)?.sriov)
})

test('VFs of a running guest stay, and so do those of a card that another driver has', () => {
  expect(runSriovManage(a40Host, `-d ${ADDRESS}`)).toMatchObject({ isDone: false, errno: 'EBUSY' })
  const gpus = a40Host.gpus.map((gpu) => ({ ...gpu, driver: 'vfio-pci' }))
  expect(runSriovManage({ ...a40Host, gpus }, `-e ${ADDRESS}`)).toMatchObject({ errno: 'ENODEV' })
})
