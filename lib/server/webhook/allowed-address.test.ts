import { expect, test } from 'vitest'
import { addressClass, findTarget, type NamedHost, type Resolve, whyNotAddress } from './allowed-address'

const NAMED: NamedHost[] = [
  { host: 'chat.corp.example', port: null, isPlain: false },
  { host: 'localhost', port: '9000', isPlain: true },
  { host: '10.0.0.7', port: '8443', isPlain: false },
]
const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const target = (address: string, resolve: Resolve) => findTarget(address, { named: NAMED, resolve })

test.each([
  ['8.8.8.8', 'public'],
  ['2606:4700::6810:84e5', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['10.1.2.3', 'inside'],
  ['172.31.255.255', 'inside'],
  ['172.32.0.1', 'public'],
  ['192.168.0.1', 'inside'],
  ['100.64.0.1', 'inside'],
  ['127.0.0.1', 'inside'],
  ['::1', 'inside'],
  ['::ffff:127.0.0.1', 'inside'],
  ['::ffff:7f00:1', 'inside'],
  ['fd12::1', 'inside'],
  ['169.254.169.254', 'never'],
  ['::ffff:169.254.169.254', 'never'],
  ['::ffff:a9fe:a9fe', 'never'],
  ['0:0:0:0:0:ffff:a9fe:a9fe', 'never'],
  ['::ffff:0:169.254.169.254', 'never'],
  ['::ffff:0:7f00:1', 'never'],
  ['::ffff:1:2:3', 'never'],
  ['::169.254.169.254', 'never'],
  ['fe80::1%eth0', 'never'],
  ['100.100.100.200', 'never'],
  ['168.63.129.16', 'never'],
  ['fe80::1', 'never'],
  ['fd00:ec2::254', 'never'],
  ['fd20:ce::254', 'never'],
  ['0.0.0.0', 'never'],
  ['::', 'never'],
  ['255.255.255.255', 'never'],
  ['224.0.0.1', 'never'],
  ['64:ff9b::a9fe:a9fe', 'never'],
  ['2002:a9fe:a9fe::1', 'never'],
])('%s is %s', (address, kind) => {
  expect(addressClass(address)).toBe(kind)
})

test.each([
  ['https://hooks.example.org/x', null],
  ['https://chat.corp.example/x', null],
  ['http://localhost:9000/x', null],
  ['https://10.0.0.7:8443/x', null],
  ['http://hooks.example.org/x', 'must be an https address: what is sent'],
  ['http://chat.corp.example/x', 'name http://chat.corp.example in SLICEBOARD_WEBHOOK_HOSTS'],
  ['http://localhost:9001/x', 'name http://localhost:9001 in SLICEBOARD_WEBHOOK_HOSTS'],
  ['https://10.0.0.7/x', 'leads to 10.0.0.7'],
  ['https://169.254.169.254/latest', 'link-local or reserved'],
  ['https://0xa9fea9fe/latest', 'link-local or reserved'],
  ['https://2852039166/', 'link-local or reserved'],
  ['https://0251.0376.0251.0376/', 'link-local or reserved'],
  ['https://169.254.43518/', 'link-local or reserved'],
  ['https://[::ffff:169.254.169.254]/', 'link-local or reserved'],
  ['https://[::ffff:0:169.254.169.254]/', 'link-local or reserved'],
  ['https://[fe80::a9fe:a9fe]/', 'link-local or reserved'],
  ['https://0/', 'link-local or reserved'],
  ['https://127.1/', 'on this machine'],
  ['https://[::1]/', 'on this machine'],
  ['https://user:pw@hooks.example.org/', 'must not hold a user'],
  ['ftp://hooks.example.org/', 'must be an https address'],
  ['hooks.example.org', 'must be an https address'],
])('%s: %s', (address, because) => {
  const reason = whyNotAddress(address, NAMED)
  if (because === null) expect(reason).toBeNull()
  else expect(reason).toContain(because)
})

test('a name is refused for where it leads, if but one of its addresses may not be called', async () => {
  expect(await target('https://hooks.example.org/', to('8.8.8.8'))).toMatchObject({
    addresses: [{ address: '8.8.8.8', family: 4 }],
  })
  expect(await target('https://hooks.example.org/', to('8.8.8.8', '169.254.169.254'))).toMatchObject({
    because: expect.stringContaining('leads to 169.254.169.254, which is link-local'),
  })
  expect(await target('https://hooks.example.org/', to('10.0.0.1'))).toMatchObject({
    because: expect.stringContaining('SLICEBOARD_WEBHOOK_HOSTS'),
  })
})

test('a named host may lead inside, and to nothing link-local', async () => {
  expect(await target('https://chat.corp.example/', to('10.0.0.1'))).toHaveProperty('addresses')
  expect(await target('https://chat.corp.example./', to('10.0.0.1'))).toHaveProperty('addresses')
  expect(await target('https://chat.corp.example/', to('fe80::1'))).toHaveProperty('because')
})

test('a name that is unknown, or has no address, is an error', async () => {
  const fails: Resolve = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND hooks.example.org'), { code: 'ENOTFOUND' })
  }
  expect(await target('https://hooks.example.org/', fails)).toEqual({
    because: 'the name hooks.example.org could not be resolved (ENOTFOUND)',
  })
  expect(await target('https://hooks.example.org/', to())).toEqual({
    because: 'no address is known of hooks.example.org',
  })
})
