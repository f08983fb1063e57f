import { type Detector, type HostDetector, NO_START } from './detector'

const EXAMPLE =
  ' Write a JSON object or a list of JSON objects, for example {"vendor_id": "10de", "product_id": "1eb8"}.'

/** nova/pci/whitelist.py raises PciConfigInvalidSpec at start. */
const detect: Detector = ({ nova }) =>
  (nova?.deviceSpecs.malformed ?? []).map(({ source, value, because }) => ({
    code: 'device-spec-malformed',
    severity: 'error',
    sentence: `Nova refuses [pci] device_spec in ${source}: ${because}; nova-compute does not start`,
    detail: `The value is ${value.slice(0, 120)}.${because.includes('JSON') ? EXAMPLE : ''}`,
    pgpuAddress: null,
  }))

export const deviceSpecMalformed: HostDetector = {
  findings: {
    'device-spec-malformed': {
      title: 'Nova refuses a [pci] device_spec; nova-compute does not start',
      severities: ['error'],
      detection: "nova.conf: a [pci] device_spec is refused by Nova's rules.",
      consequence: NO_START,
      nextStep: 'Correct the entry, or remove it.',
      source: 'nova.conf',
    },
  },
  detect,
}
