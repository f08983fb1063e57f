import { describe, expect, test } from 'vitest'
import { guest } from '@/simulator/fixtures/host-parts'
import { GUEST_SECRETS, liveXml, persistentXml } from '@/simulator/host-tree/guest-xml'
import { readGuestXml } from './guest-xml'

const UUID = 'dcae1f0a-2f0d-4f53-8a3e-4b1c6c1d9e77'
const MDEV = '4b20d080-1b54-4048-85b3-a6a62d165c01'

const spec = guest({
  name: 'instance-00000004',
  uuid: UUID,
  mdevs: [MDEV],
  pciDevices: ['0000:41:00.4', 'e3f1:c1:1f.7'],
  nova: {
    namespace: '1.1',
    serverName: 'vgpu1 & <more>',
    flavorName: 'vgpu_1',
    projectId: '7a90f423f6d14bf78ba0ad569cd8f77d',
    projectName: 'cfd-lab',
    userId: '126b67836fdf475ebd9e36433e4459c7',
    userName: 'm.ferrand',
    createdAt: '2024-05-17 16:58:40',
  },
})

const domain = (inner: string): string =>
  `<domain type='kvm'><name>instance-00000004</name><uuid>${UUID}</uuid>${inner}</domain>`

test('live XML: state, hostdevs and Nova’s metadata', () => {
  expect(readGuestXml(liveXml({ ...spec, state: 'paused' }))).toEqual({
    isLive: true,
    uuid: UUID,
    name: 'instance-00000004',
    state: 'paused',
    nova: {
      serverName: 'vgpu1 & <more>',
      flavorName: 'vgpu_1',
      projectId: '7a90f423f6d14bf78ba0ad569cd8f77d',
      projectName: 'cfd-lab',
      userId: '126b67836fdf475ebd9e36433e4459c7',
      userName: 'm.ferrand',
    },
    mdevUuids: [MDEV],
    pciAddresses: ['0000:41:00.4', 'e3f1:c1:1f.7'],
    numa: null,
  })
})

test('a guest that is bound to a NUMA node: its CPUs of the host, and its memory', () => {
  const pinned = { ...spec, vcpus: 2, memoryMib: 4096, pinned: { node: 1, cpus: [12, 36] } }
  expect(readGuestXml(liveXml(pinned)).numa).toEqual({
    cpus: '12,36',
    memory: [{ node: 1, memoryMib: 4096 }],
  })
  // Floating over the node's CPUs, each vCPU over the same.
  const floating = domain(
    "<cputune><vcpupin vcpu='0' cpuset='0-11'/><vcpupin vcpu='1' cpuset='0-11'/></cputune><numatune><memnode cellid='0' nodeset='0-1'/></numatune>",
  )
  expect(readGuestXml(floating).numa).toEqual({ cpus: '0-11', memory: [] })
})

test('persistent XML is a guest that is shut off', () => {
  expect(readGuestXml(persistentXml(spec))).toMatchObject({
    isLive: false,
    state: 'shutoff',
    mdevUuids: [MDEV],
  })
})

test('no password, cookie or secret is among the facts', () => {
  const xml = liveXml(spec)
  expect(xml).toContain(GUEST_SECRETS.vncPassword)
  expect(xml).toContain(GUEST_SECRETS.cookie)
  expect(JSON.stringify(readGuestXml(xml))).not.toMatch(/hunter2|457eb676|passwd/)
})

test.each([
  ['running', 'running'],
  ['blocked', 'running'],
  ['paused', 'paused'],
  ['shutdown', 'other'],
  ['crashed', 'crashed'],
  ['pmsuspended', 'suspended'],
  ['constructor', 'other'],
])('libvirt state %s is %s', (state, expected) => {
  expect(readGuestXml(`<domstatus state='${state}'>${domain('')}</domstatus>`).state).toBe(expected)
})

describe('Nova’s metadata', () => {
  const metadata = (instance: string): unknown =>
    readGuestXml(domain(`<metadata>${instance}</metadata>`)).nova

  test.each(['1.0', '1.1'])('namespace %s with any prefix, or as the default', (version) => {
    const uri = `http://openstack.org/xmlns/libvirt/nova/${version}`
    const expected = expect.objectContaining({
      serverName: 'a',
      flavorName: 'f',
      projectId: 'p',
      projectName: 'P',
    })
    const inner = (prefix: string) =>
      `<${prefix}name>a</${prefix}name><${prefix}flavor name="f"/><${prefix}owner><${prefix}project uuid="p">P</${prefix}project></${prefix}owner>`
    expect(metadata(`<nova:instance xmlns:nova="${uri}">${inner('nova:')}</nova:instance>`)).toEqual(expected)
    expect(metadata(`<x:instance xmlns:x='${uri}'>${inner('x:')}</x:instance>`)).toEqual(expected)
    expect(metadata(`<instance xmlns="${uri}">${inner('')}</instance>`)).toEqual(expected)
    const outer = `<domain xmlns:n='${uri}'><name>i</name><uuid>${UUID}</uuid><metadata><n:instance>${inner('n:')}</n:instance></metadata></domain>`
    expect(readGuestXml(outer).nova).toEqual(expected)
  })

  test('other namespaces are not Nova’s', () => {
    expect(metadata('<nova:instance xmlns:nova="http://openstack.org/xmlns/libvirt/nova/2.0"/>')).toBeNull()
    expect(metadata('<nova:instance><nova:name>a</nova:name></nova:instance>')).toBeNull()
    expect(
      metadata('<libosinfo:libosinfo xmlns:libosinfo="http://libosinfo.org/xmlns/libvirt/domain/1.0"/>'),
    ).toBeNull()
    expect(readGuestXml(domain('')).nova).toBeNull()
  })

  test('what is missing is null, what is too long is cut', () => {
    const uri = 'http://openstack.org/xmlns/libvirt/nova/1.1'
    const name = 'é'.repeat(2000)
    expect(
      metadata(`<nova:instance xmlns:nova="${uri}"><nova:name>${name}</nova:name></nova:instance>`),
    ).toEqual({
      serverName: 'é'.repeat(1024),
      flavorName: null,
      projectId: null,
      projectName: null,
      userId: null,
      userName: null,
    })
  })
})

describe('host devices', () => {
  const devices = (inner: string) => {
    const { mdevUuids, pciAddresses } = readGuestXml(domain(`<devices>${inner}</devices>`))
    return [mdevUuids, pciAddresses]
  }

  test('only the source address counts, hexadecimal or decimal; the function may be left off', () => {
    expect(
      devices(`<hostdev mode='subsystem' type='pci'><driver name='vfio'/>
        <source><address domain='0x0000' bus='0x41' slot='0x00' function='0x4'/></source>
        <address type='pci' domain='0x0000' bus='0x06' slot='0x01' function='0x0'/></hostdev>
        <hostdev mode='subsystem' type='pci'><source><address domain='0' bus='134' slot='0'/></source></hostdev>`),
    ).toEqual([[], ['0000:41:00.4', '0000:86:00.0']])
  })

  test('network cards, USB devices and addresses that are none do not count', () => {
    expect(
      devices(`<interface type='hostdev'><source><address type='pci' domain='0x0000' bus='0x5e' slot='0x00' function='0x2'/></source></interface>
        <hostdev mode='subsystem' type='usb'><source><address bus='1' device='2'/></source></hostdev>
        <hostdev mode='subsystem' type='pci'><source><address domain='0x10000' bus='0x01' slot='0x00' function='0x0'/></source></hostdev>
        <hostdev mode='subsystem' type='pci'><source><address domain='0x0000' bus='1; rm' slot='0x00' function='0x0'/></source></hostdev>
        <hostdev mode='subsystem' type='mdev'><source><address uuid='no-uuid'/></source></hostdev>`),
    ).toEqual([[], []])
  })

  test('an upper-case uuid is lowered', () => {
    const address = `<source><address uuid='${MDEV.toUpperCase()}'/></source>`
    expect(devices(`<hostdev mode='subsystem' type='mdev' model='vfio-pci'>${address}</hostdev>`)[0]).toEqual(
      [MDEV],
    )
  })
})

test.each([
  ['<network><name>x</name></network>', 'it holds no <domain>'],
  ['<domstatus state="running"/>', 'it holds no <domain>'],
  ['<domain><name>x</name></domain>', 'its <uuid> is not a uuid'],
  [`<domain><uuid>${UUID}</uuid></domain>`, 'its <name> is empty'],
])('%s is refused', (xml, message) => {
  expect(() => readGuestXml(xml)).toThrow(message)
})
