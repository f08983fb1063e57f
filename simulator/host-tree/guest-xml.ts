import type { GuestNovaSpec, GuestSpec } from './host-spec'
import { libvirtAddress } from './pci-address'

/** Secrets that stand in real files and must never leave the host; tests look for them in what the agent sends. */
export const GUEST_SECRETS = { vncPassword: 'kV7-vnc-hunter2', cookie: 'cinder-cookie-hunter2' } as const

const escapeXml = (text: string): string =>
  text.replace(/[&<>'"]/g, (character) => `&#${character.charCodeAt(0)};`)

const novaMetadata = (nova: GuestNovaSpec, guest: GuestSpec): string[] => [
  '  <metadata>',
  `    <nova:instance xmlns:nova="http://openstack.org/xmlns/libvirt/nova/${nova.namespace}">`,
  '      <nova:package version="29.2.0"/>',
  `      <nova:name>${escapeXml(nova.serverName)}</nova:name>`,
  `      <nova:creationTime>${nova.createdAt}</nova:creationTime>`,
  `      <nova:flavor name="${escapeXml(nova.flavorName)}">`,
  `        <nova:memory>${guest.memoryMib}</nova:memory>`,
  '        <nova:disk>40</nova:disk>',
  '        <nova:swap>0</nova:swap>',
  '        <nova:ephemeral>0</nova:ephemeral>',
  `        <nova:vcpus>${guest.vcpus}</nova:vcpus>`,
  '      </nova:flavor>',
  '      <nova:owner>',
  `        <nova:user uuid="${nova.userId}">${escapeXml(nova.userName)}</nova:user>`,
  `        <nova:project uuid="${nova.projectId}">${escapeXml(nova.projectName)}</nova:project>`,
  '      </nova:owner>',
  '      <nova:root type="image" uuid="0b4c3a6e-5d43-4c4b-9a53-0f3c2f7a6a11"/>',
  '    </nova:instance>',
  '  </metadata>',
]

const mdevHostdev = (uuid: string, isLive: boolean, index: number): string[] => [
  "    <hostdev mode='subsystem' type='mdev' managed='no' model='vfio-pci' display='off'>",
  '      <source>',
  `        <address uuid='${uuid}'/>`,
  '      </source>',
  ...(isLive ? [`      <alias name='hostdev${index}'/>`] : []),
  `      <address type='pci' domain='0x0000' bus='0x00' slot='0x0${5 + (index % 8)}' function='0x0'/>`,
  '    </hostdev>',
]

const pciHostdev = (address: string, isLive: boolean, index: number): string[] => [
  `    <hostdev mode='subsystem' type='pci' managed='${address.endsWith('.0') ? 'yes' : 'no'}'>`,
  ...(isLive ? ["      <driver name='vfio'/>"] : []),
  '      <source>',
  `        <address ${libvirtAddress(address)}/>`,
  '      </source>',
  ...(isLive ? [`      <alias name='hostdev${index}'/>`] : []),
  `      <address type='pci' domain='0x0000' bus='0x06' slot='0x0${index % 8}' function='0x0'/>`,
  '    </hostdev>',
]

const devices = (guest: GuestSpec, isLive: boolean): string[] => [
  '  <devices>',
  '    <emulator>/usr/bin/qemu-system-x86_64</emulator>',
  "    <disk type='network' device='disk'>",
  "      <driver name='qemu' type='raw' cache='writeback' discard='unmap'/>",
  "      <auth username='nova'><secret type='ceph' uuid='457eb676-33da-42ec-9a8c-9293d545c337'/></auth>",
  `      <source protocol='rbd' name='vms/${guest.uuid}_disk'>`,
  "        <host name='10.20.0.11' port='6789'/>",
  ...(isLive ? [`        <cookies><cookie name='token'>${GUEST_SECRETS.cookie}</cookie></cookies>`] : []),
  '      </source>',
  "      <target dev='vda' bus='virtio'/>",
  '    </disk>',
  "    <interface type='bridge'><source bridge='br-int'/><model type='virtio'/></interface>",
  `    <graphics type='vnc' port='-1' autoport='yes' listen='0.0.0.0' passwd='${GUEST_SECRETS.vncPassword}'/>`,
  "    <video><model type='none'/></video>",
  ...guest.mdevs.flatMap((uuid, index) => mdevHostdev(uuid, isLive, index)),
  ...guest.pciDevices.flatMap((address, index) => pciHostdev(address, isLive, index + guest.mdevs.length)),
  '  </devices>',
]

/** As nova/virt/libvirt/driver.py writes a guest with a NUMA topology of one cell. */
const cpuLines = ({ pinned, vcpus, memoryMib }: GuestSpec): string[] =>
  pinned === undefined
    ? ["  <cpu mode='host-passthrough' check='none' migratable='on'/>"]
    : [
        '  <cputune>',
        ...pinned.cpus.map((cpu, vcpu) => `    <vcpupin vcpu='${vcpu}' cpuset='${cpu}'/>`),
        '  </cputune>',
        '  <numatune>',
        `    <memory mode='strict' nodeset='${pinned.node}'/>`,
        `    <memnode cellid='0' mode='strict' nodeset='${pinned.node}'/>`,
        '  </numatune>',
        "  <cpu mode='host-passthrough' check='none' migratable='on'>",
        `    <numa><cell id='0' cpus='0-${vcpus - 1}' memory='${memoryMib * 1024}' unit='KiB'/></numa>`,
        '  </cpu>',
      ]

const domain = (guest: GuestSpec, id: number | null): string[] => [
  `<domain type='kvm'${id === null ? '' : ` id='${id}'`}>`,
  `  <name>${escapeXml(guest.name)}</name>`,
  `  <uuid>${guest.uuid}</uuid>`,
  ...(guest.nova === null ? [] : novaMetadata(guest.nova, guest)),
  `  <memory unit='KiB'>${guest.memoryMib * 1024}</memory>`,
  `  <vcpu placement='static'>${guest.vcpus}</vcpu>`,
  "  <os><type arch='x86_64' machine='pc-q35-8.2'>hvm</type><boot dev='hd'/></os>",
  '  <features><acpi/><apic/></features>',
  ...cpuLines(guest),
  ...devices(guest, id !== null),
  '</domain>',
]

const header = (name: string): string[] => [
  '<!--',
  'WARNING: THIS IS AN AUTO-GENERATED FILE. CHANGES TO IT ARE LIKELY TO BE',
  'OVERWRITTEN AND LOST. Changes to this xml configuration should be made using:',
  `  virsh edit ${name.replaceAll('--', '- ')}`,
  'or other application using the libvirt API.',
  '-->',
  '',
]

const text = (lines: string[]): string => `${lines.join('\n')}\n`

/** `/etc/libvirt/qemu/<name>.xml`. */
export const persistentXml = (guest: GuestSpec): string =>
  text([...header(guest.name), ...domain(guest, null)])

/** `/run/libvirt/qemu/<name>.xml`: `<domstatus>` wraps the domain. */
export const liveXml = (guest: GuestSpec): string => {
  // libvirt counts its running domains; here the number must not change when another guest goes.
  const id = Number.parseInt(guest.uuid.slice(0, 3), 16) + 1
  return text([
    ...header(guest.name),
    `<domstatus state='${guest.state}' reason='${guest.state === 'paused' ? 'user' : 'booted'}' pid='${4000 + id * 17}'>`,
    "  <taint flag='custom-monitor'/>",
    `  <monitor path='/var/lib/libvirt/qemu/domain-${id}-${escapeXml(guest.name)}/monitor.sock' type='unix'/>`,
    "  <qemuCaps><flag name='vfio-pci.display'/><flag name='q35-pci-hole64-size'/></qemuCaps>",
    "  <job type='none' async='none'/>",
    "  <fakereboot value='no'/>",
    ...domain(guest, id).map((line) => `  ${line}`),
    '</domstatus>',
  ])
}
