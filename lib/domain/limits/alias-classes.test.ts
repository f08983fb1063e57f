import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { K40C_CONF, type K40cCloud, k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import { aliasAmounts } from './alias-classes'

const REPORTED = `${K40C_CONF}\n[pci]\nreport_in_placement = True`
const GPU = [{ name: 'gpu', count: 2 }]

const amounts = (cloud: K40cCloud, aliases = GPU) => [
  ...aliasAmounts(joinFleet(k40cCloud(cloud)), { aliases }),
]

test('a card that its host reports to Placement is counted under its class', () => {
  expect(amounts({ novaConf: REPORTED, api: K40C_CONF })).toEqual([['CUSTOM_PCI_10DE_1024', 2]])
  expect(amounts({ novaConf: REPORTED, api: K40C_CONF }, [{ name: 'other', count: 1 }])).toEqual([])
})

test('where the aliases of Nova’s API are unknown, those of the host count', () => {
  expect(amounts({ novaConf: REPORTED })).toEqual([['CUSTOM_PCI_10DE_1024', 2]])
})

test('a card that is not in Placement has no class', () => {
  expect(amounts({ api: K40C_CONF })).toEqual([])
})
