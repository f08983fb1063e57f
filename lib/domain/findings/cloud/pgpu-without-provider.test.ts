import { expect, it } from 'vitest'
import { editGpuProviders, editHosts, findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'

const CODE = 'pgpu-without-provider'
const dropped = () => editGpuProviders(t4Cloud(), () => null)

it('a configured pGPU that Placement does not know', () => {
  expect(findOne(dropped(), CODE)).toMatchObject({
    severity: 'error',
    sourceToCorrect: 'placement',
    sentence: 'no provider in Placement, so no new server gets its 4 vGPUs of T4-4C',
  })
})

it('is no finding where nova.conf names no type or limits the host', () => {
  const conf = (text: string) =>
    editHosts(dropped(), (inventory) => ({ ...inventory, novaConfig: novaConf(text) }))
  const limited = conf('[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\nmax_instances = 2')
  for (const input of [conf(''), limited])
    expect(sentences(input).filter((text) => text.startsWith(CODE))).toEqual([])
})

it('a whole card is missed only with PCI in Placement', () => {
  const spec = '[pci]\ndevice_spec = {"address":"0000:20:00.0"}'
  const whole = (text: string) =>
    editHosts(dropped(), (inventory) => ({ ...inventory, mdevs: [], guests: [], novaConfig: novaConf(text) }))
  expect(sentences(whole(spec)).filter((text) => text.startsWith(CODE))).toEqual([])
  expect(findOne(whole(`${spec}\nreport_in_placement = true`), CODE).sentence).toBe(
    'no provider in Placement, so no server gets this card',
  )
})
