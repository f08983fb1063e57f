import { previewReboot } from '@/lib/domain/cloud/preview-reboot'
import { RESUME_OPTION } from '@/lib/domain/cloud/resumes-guests'
import { listText } from '@/lib/domain/wording'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { formatNoun } from '@/lib/util/format'
import { hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'guests-stay-off'

/** Running servers with vGPUs that nova-compute could start after a reboot of their host, but does not; see `reboot-loses-servers`. */
export const guestsStayOff: JoinedHostDetector = {
  code: CODE,
  title: 'Servers stay off after a reboot',
  reference: {
    severities: ['info'],
    sources: [],
    detection:
      'nova.conf and libvirt: a server with vGPUs runs, and resume_guests_state_on_host_boot is off.',
    consequence:
      'Nova reports these servers as SHUTOFF after a reboot of the host, until a user starts them.',
    nextStep:
      'Set [DEFAULT] resume_guests_state_on_host_boot and restart nova-compute, or start the servers after the reboot.',
  },
  needs: ['servers'],
  hostNeeds: ['guests', 'mdevs', 'nova.conf'],
  detect: (joined, fleet) => {
    const off = (previewReboot(fleet, joined)?.servers ?? []).filter(
      ({ isRestarted, fate }) => isRestarted === false && fate !== 'lost',
    )
    if (off.length === 0) return []
    const names = listText(off.map(({ serverName, guestName }) => serverName ?? guestName))
    return [
      makeFinding({
        code: CODE,
        severity: 'info',
        subject: { kind: 'host', host: joined.host.name },
        sentence: `${formatNoun(off.length, 'running server')} will stay off after a reboot: ${names}`,
        consequence:
          'Nova reports these servers as SHUTOFF after a reboot of the host, until a user starts them.',
        nextStep: `Set ${RESUME_OPTION} and restart nova-compute, or start the servers after the reboot.`,
        command: novaConf`[DEFAULT]\nresume_guests_state_on_host_boot = True`,
        sourceToCorrect: null,
        evidence: [hostReports(joined, 'nova.conf', `${RESUME_OPTION} is off or not set (default: off)`)],
      }),
    ]
  },
}
