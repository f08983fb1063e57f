import { type Detector, type HostDetector, isMdevCard, type LocatedFinding, UNKNOWN } from './detector'

/** Without the guests or nova.conf the use of the existing vGPUs is unknown. Reported only where vGPUs can exist. */
const detect: Detector = ({ cards, novaGap, occupancy }) => {
  const findings: LocatedFinding[] = []
  if (occupancy.gap !== null && cards.some(({ pgpu }) => pgpu.framework !== 'none'))
    findings.push({
      code: 'guests-not-read',
      severity: 'warning',
      sentence: `${occupancy.gap}, so use is unknown`,
      detail:
        "Used, spare and orphan vGPUs can only be distinguished with every guest's XML. Configure the folders of libvirt's XML (live in /run/libvirt/qemu, persistent in /etc/libvirt/qemu) in agent.toml, and allow the agent to read them.",
      pgpuAddress: null,
    })
  if (novaGap !== null && cards.some(isMdevCard))
    findings.push({
      code: 'nova-conf-not-read',
      severity: 'warning',
      sentence: `${novaGap}, so the configured types are unknown`,
      detail:
        'Without nova.conf, spare and orphan vGPUs cannot be distinguished. Configure the paths of the nova-compute files on this host in agent.toml.',
      pgpuAddress: null,
    })
  return findings
}

export const unreadSources: HostDetector = {
  findings: {
    'guests-not-read': {
      title: 'Guests could not be read',
      severities: ['warning'],
      detection: 'Agent: the report has no guests, and the host has pGPUs that can hold vGPUs.',
      consequence: UNKNOWN,
      nextStep: "Configure the folders of libvirt's XML in agent.toml, and allow the agent to read them.",
      source: 'agent',
      isRisk: true,
    },
    'nova-conf-not-read': {
      title: 'nova.conf could not be read',
      severities: ['warning'],
      detection: 'Agent: the report has no complete nova.conf, and the host has pGPUs that can hold vGPUs.',
      consequence: UNKNOWN,
      nextStep: 'Configure the paths of the files of nova-compute in agent.toml.',
      source: 'agent',
      isRisk: true,
    },
  },
  detect,
}
