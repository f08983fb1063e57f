import { expect, test } from 'vitest'
import { clientNetwork, ownerNetwork } from './address-network'

test.each([
  ['10.1.2.3', '10.1.2.3', '10.1.2'],
  ['2001:db8:0:7::1', '2001:db8:0:7', '2001:db8:0'],
  ['2001:DB8::7:a:b:c:d', '2001:db8:0:7', '2001:db8:0'],
  ['2001:db8:0:0007:1:2:3:4', '2001:db8:0:7', '2001:db8:0'],
  ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0'],
  ['::1', '0:0:0:0', '0:0:0'],
  ['unknown', 'unknown', 'unknown'],
])('%s is of the client %s and the owner %s', (address, client, owner) => {
  expect([clientNetwork(address), ownerNetwork(address)]).toEqual([client, owner])
})
