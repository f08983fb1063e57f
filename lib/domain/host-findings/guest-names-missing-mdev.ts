import { listText } from '@/lib/domain/wording'
import type { Detector, HostDetector, HostFacts, LocatedFinding } from './detector'

/** Uuids that exist, are defined, or may exist where the scan could not look. */
const possibleMdevs = (host: HostFacts): Set<string> => {
  const unread = host.inventory.problems.map((problem) => problem.source.split('/').at(-1) ?? '')
  return new Set([...(host.inventory.mdevs ?? []).map((mdev) => mdev.uuid), ...unread])
}

/** A guest whose XML names an mdev that is neither active nor defined: it can't start. */
const detect: Detector = (host) => {
  if (host.inventory.mdevs === null) return []
  const isFolderUnread = host.inventory.problems.some(
    ({ source }) => source === '/sys/bus/mdev/devices' || source.endsWith('/etc/mdevctl.d'),
  )
  if (isFolderUnread) return []
  const possible = possibleMdevs(host)
  return (host.inventory.guests ?? []).flatMap((guest): LocatedFinding[] => {
    const missing = guest.mdevs.filter((mdev) => !possible.has(mdev.uuid)).map((mdev) => mdev.uuid)
    if (missing.length === 0) return []
    const name = guest.nova?.serverName ?? guest.name
    return [
      {
        code: 'guest-names-missing-mdev',
        severity: 'error',
        sentence: `${name} names an mdev that does not exist`,
        detail: `${guest.persistentPath ?? guest.livePath} names ${listText(missing)}, which is neither active nor defined, so ${guest.name} can't start. Cold migrate the server: Nova then attaches a new vGPU. A hard reboot keeps the missing mdev.`,
        pgpuAddress: null,
      },
    ]
  })
}

export const guestNamesMissingMdev: HostDetector = {
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
  },
  detect,
}
