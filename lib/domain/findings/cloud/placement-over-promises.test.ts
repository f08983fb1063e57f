import { expect, it } from 'vitest'
import { a40Cloud, editHosts, findOne, sentences, withFacts } from '@/lib/domain/testing/break-cloud'
import { inventoryOf, mdevProvider, readPart } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { vfOf } from '@/lib/domain/testing/offers'

/** All 32 VFs of the A40 in Placement, and nova.conf without a limit. */
const promised = (nova = '') => {
  const input = a40Cloud()
  const providers = input.facts.providers.value ?? []
  const [root] = providers
  if (root === undefined) throw new Error('the cloud has no root provider')
  const rest = Array.from({ length: 20 }, (_, n) =>
    mdevProvider(root, {
      address: vfOf('0000:20:00.0', 12 + n),
      n: 12 + n,
      traits: ['CUSTOM_A40_4Q'],
      inventories: { VGPU: inventoryOf(1, 0) },
    }),
  )
  return editHosts(withFacts(input, { providers: readPart([...providers, ...rest]) }), (inventory) => ({
    ...inventory,
    novaConfig: novaConf(`[devices]\nenabled_mdev_types = nvidia-560\n${nova}`),
  }))
}

it('32 are advertised, 12 fit, and nova.conf is the source to correct', () => {
  const finding = findOne(promised(), 'placement-over-promises')
  expect(finding).toMatchObject({
    sourceToCorrect: 'nova.conf',
    sentence: 'Placement offers 32 vGPUs, but 12 fit',
  })
  expect(finding.evidence.map(({ reported }) => reported)).toEqual([
    '32 over 32 providers',
    'max_instance of A40-4Q: 12',
    'max_instances is not set',
  ])
})

it("replaces the host's own finding", () => {
  expect(sentences(promised()).filter((text) => text.startsWith('sriov-over-promise'))).toEqual([])
})

it('a wrong max_instances is named', () => {
  const finding = findOne(promised('[mdev_nvidia-560]\nmax_instances = 32'), 'placement-over-promises')
  expect(finding.evidence.at(-1)?.reported).toBe('max_instances = 32')
})

it('nova.conf that lists as many VFs as fit is not the source to correct for other values in Placement', () => {
  const listed = Array.from({ length: 12 }, (_, n) => vfOf('0000:20:00.0', n)).join(',')
  const nova = `[mdev_nvidia-560]\ndevice_addresses = ${listed}`
  expect(findOne(promised(nova), 'placement-over-promises')).toMatchObject({
    sourceToCorrect: 'placement',
    command: null,
    nextStep: expect.stringContaining('providers of this card without a device'),
  })
})
