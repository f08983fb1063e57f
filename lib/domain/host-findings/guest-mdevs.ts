import { listText } from '@/lib/domain/wording'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Detector, HostDetector, HostFacts, LocatedFinding } from './detector'

type Guest = NonNullable<Inventory['guests']>[number]

const located = (finding: Pick<LocatedFinding, 'code' | 'sentence' | 'detail'>): LocatedFinding => ({
  ...finding,
  severity: 'error',
  pgpuAddress: null,
})

const forGuest = (host: HostFacts, unread: ReadonlySet<string>, guest: Guest): LocatedFinding[] => {
  const known = new Map((host.inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev]))
  const uuids = guest.mdevs.map(({ uuid }) => uuid).filter((uuid) => !unread.has(uuid))
  const missing = uuids.filter((uuid) => !known.has(uuid))
  const inactive = uuids.filter((uuid) => known.get(uuid)?.isActive === false)
  const name = guest.nova?.serverName ?? guest.name
  const file = guest.persistentPath ?? guest.livePath
  const findings: LocatedFinding[] = []
  if (missing.length > 0)
    findings.push(
      located({
        code: 'guest-names-missing-mdev',
        sentence: `${name} names an mdev that does not exist`,
        detail: `${file} names ${listText(missing)}, which is neither active nor defined, so ${guest.name} can't start. Cold migrate the server: Nova then attaches a new vGPU. A hard reboot keeps the missing mdev.`,
      }),
    )
  if (inactive.length > 0 && guest.livePath === null)
    findings.push(
      located({
        code: 'guest-mdev-inactive',
        sentence: `${name} has an mdev that is not active`,
        detail: `${file} names ${listText(inactive)}, which is defined and not active, so ${guest.name} can't start.`,
      }),
    )
  return findings
}

/**
 * Guests that cannot start because an mdev of their XML is not active. Nova starts defined mdevs only when nova-compute starts
 * (nova/virt/libvirt/driver.py _start_inactive_mediated_devices).
 */
const detect: Detector = (host) => {
  const { mdevs, guests, problems } = host.inventory
  if (mdevs === null) return []
  const isFolderUnread = problems.some(
    ({ source }) => source === '/sys/bus/mdev/devices' || source.endsWith('/etc/mdevctl.d'),
  )
  if (isFolderUnread) return []
  const unread = new Set(problems.map(({ source }) => source.split('/').at(-1) ?? ''))
  return (guests ?? []).flatMap((guest) => forGuest(host, unread, guest))
}

export const guestMdevs: HostDetector = {
  findings: {
    'guest-names-missing-mdev': {
      title: 'A guest names an mdev that does not exist',
      severities: ['error'],
      detection: 'libvirt and sysfs: the XML of a guest names an mdev that is neither active nor defined.',
      consequence: 'The guest cannot start.',
      nextStep:
        'Cold migrate the server, or create the mdev again with its UUID on the same parent. A hard reboot keeps the missing mdev.',
      source: 'libvirt',
    },
    'guest-mdev-inactive': {
      title: 'The mdev of a stopped guest is not active',
      severities: ['error'],
      detection:
        'libvirt and sysfs: the XML of a stopped guest names an mdev that is defined and not active.',
      consequence: 'The guest cannot start.',
      nextStep:
        'Start the mdev (virsh nodedev-start or mdevctl start). From 2024.2 on, a restart of nova-compute starts it too.',
      source: 'hardware',
    },
  },
  detect,
}
