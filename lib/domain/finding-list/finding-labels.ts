import type { FindingSource, FindingSubject } from '@/lib/schemas/api/finding'

export const SOURCE_LABELS: Record<FindingSource, string> = {
  hardware: 'hardware',
  'nova.conf': 'nova.conf',
  placement: 'Placement',
  nova: 'Nova',
  keystone: 'Keystone',
  neutron: 'Neutron',
  libvirt: 'libvirt',
  agent: 'agent',
}

/** The source to correct. Devices, mdevs and guests are one source to an operator: the state of the host. */
export const SOURCE_TO_CORRECT_LABELS: Record<FindingSource, string> = {
  ...SOURCE_LABELS,
  hardware: 'host state',
  libvirt: 'host state',
}

/** Null: the subject is on no host. */
export const subjectHost = (subject: FindingSubject): string | null =>
  'host' in subject ? subject.host : null

const limitText = ({
  resourceName,
  regionId,
  projectId,
}: Extract<FindingSubject, { kind: 'limit' }>): string =>
  [
    `limit of ${resourceName.replace(/^class:/, '')}`,
    regionId === null ? 'without region' : `in ${regionId}`,
    projectId === null ? null : `of project ${projectId}`,
  ]
    .filter((part) => part !== null)
    .join(' ')

/** The subject of a finding as lists, search and CSV show it. */
export const subjectText = (subject: FindingSubject): string => {
  switch (subject.kind) {
    case 'cloud':
      return 'the cloud'
    case 'host':
      return subject.host
    case 'pgpu':
      return `${subject.host} ${subject.address}`
    case 'provider':
      return `provider ${subject.name}`
    case 'server':
      return subject.host === null ? `server ${subject.name}` : `server ${subject.name} on ${subject.host}`
    case 'limit':
      return limitText(subject)
    case 'flavor':
    case 'trait':
    case 'aggregate':
      return `${subject.kind} ${subject.name}`
  }
}
