import { lostText, previewReboot } from '@/lib/domain/cloud/preview-reboot'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { hostReports, type JoinedHostDetector, makeFinding } from './detector'

/** Servers whose vGPUs would not be there after a reboot of their host. */
export const rebootLosesServers: JoinedHostDetector = {
  code: 'reboot-loses-servers',
  title: 'Servers will not start after a reboot',
  reference: {
    severities: ['warning', 'info'],
    sources: ['hardware'],
    detection:
      "libvirt, mdev definitions, sysfs and Nova's release: the vGPUs of a server would not exist after a reboot of its host.",
    consequence: 'The servers cannot start after the next reboot of the host.',
    nextStep:
      'Define the mdevs with autostart, set the vGPU types of VFs at boot, or cold migrate the servers after the reboot.',
  },
  needs: ['servers'],
  hostNeeds: ['guests', 'mdevs', 'nova.conf'],
  detect: (joined, fleet) => {
    const preview = previewReboot(fleet, joined)
    const fates = preview?.servers ?? []
    const lost = fates.filter(({ fate }) => fate === 'lost')
    if (preview === null || lost.length === 0) return []
    const { isStarting, because } = preview.novaCompute
    const isByRelease = lost.every((fate) => fate.isByRelease)
    return [
      makeFinding({
        code: 'reboot-loses-servers',
        // Up to 2024.1 Nova defines no mdev, so it is so on every host: a risk to know, not something that broke.
        severity: isByRelease ? 'info' : 'warning',
        subject: { kind: 'host', host: joined.host.name },
        sentence: `${formatNoun(lost.length, 'server')} would not start after a reboot: ${lostText(fates)}`,
        consequence:
          isStarting === false
            ? `After the next reboot, nova-compute and the servers of the host would not start: ${because}.`
            : 'These servers cannot start after the next reboot of the host.',
        nextStep: lost.every(({ canMigrate }) => canMigrate)
          ? 'Define their mdevs with autostart before the reboot, or cold migrate the servers after it. A hard reboot keeps the missing mdevs.'
          : 'Define their mdevs with autostart, or write the vGPU types of their VFs again, before the servers start.',
        command: null,
        sourceToCorrect: isByRelease ? null : 'hardware',
        evidence: [...new Set(lost.map(({ because }) => because))].map((because) =>
          hostReports(
            joined,
            'hardware',
            `${listText(lost.filter((entry) => entry.because === because).map(({ guestName }) => guestName))}: ${because}`,
          ),
        ),
      }),
    ]
  },
}
