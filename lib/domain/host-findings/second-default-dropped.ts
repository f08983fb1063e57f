import type { Detector, HostDetector } from './detector'

/** Of the types without addresses the first becomes the default; Nova warns in its log and drops the others. */
const detect: Detector = ({ nova }) =>
  (nova?.assignment.droppedDefaults ?? []).map((typeId) => ({
    code: 'second-default-dropped',
    severity: 'warning',
    sentence: `${typeId} has no addresses and is dropped: ${nova?.assignment.default?.typeId} is already the default`,
    detail: `${nova?.mdev.typesSource}: only one type may omit device_addresses, and the first one wins. Set device_addresses in [mdev_${typeId}], or remove the type.`,
    pgpuAddress: null,
  }))

export const secondDefaultDropped: HostDetector = {
  findings: {
    'second-default-dropped': {
      title: 'A second type without addresses is dropped',
      severities: ['warning'],
      detection: 'nova.conf: more than one enabled type has no device_addresses.',
      consequence: 'The second type is offered nowhere.',
      nextStep: 'Set its device_addresses, or remove the type.',
      source: 'nova.conf',
    },
  },
  detect,
}
